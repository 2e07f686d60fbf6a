// Lets OpenCode use an Obsidian vault as its memory: every handler asks the program `vaultkit` and gives up after LIMITS milliseconds.
// No logic lives here. A program that is missing, slow or broken costs at most the limit, and nothing is ever thrown into OpenCode.
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"

const COMMAND = ["vaultkit", "hook", "opencode"]
const LIMITS = { prompt: 3000, tool: 2000, turn: 3000, compact: 3000, end: 1500 }

/** The text that the program answers to an event, "" on any trouble. */
function ask(event, payload) {
  return new Promise((resolve) => {
    let answer = ""
    let child
    const done = () => {
      clearTimeout(timer)
      try {
        resolve(String(JSON.parse(answer).text ?? ""))
      } catch {
        resolve("") // nothing was printed, or half of it
      }
    }
    const timer = setTimeout(() => {
      answer = ""
      child?.kill("SIGKILL")
      done()
    }, LIMITS[event])
    try {
      child = spawn(COMMAND[0], [...COMMAND.slice(1), event], { stdio: ["pipe", "pipe", "ignore"], env: { ...process.env } })
      child.stdout.setEncoding("utf8").on("data", (part) => (answer += part))
      child.stdin.on("error", () => {})
      child.on("error", done)
      child.on("close", done)
      child.stdin.end(JSON.stringify(payload))
    } catch {
      done()
    }
  })
}

export const VaultkitPlugin = async ({ client, directory }) => {
  const sessions = new Map() // id → { parentID, fresh }: what was asked about it once

  async function about(sessionID) {
    if (!sessions.has(sessionID)) {
      const found = { parentID: null, fresh: true }
      sessions.set(sessionID, found)
      const slow = new Promise((resolve) => setTimeout(resolve, 1000))
      const path = { id: sessionID }
      const look = Promise.all([client.session.get({ path }), client.session.messages({ path })]).then(([session, messages]) => {
        found.parentID = session?.data?.parentID ?? null
        found.fresh = !(messages?.data ?? []).some((one) => one.info?.role === "assistant") // a resumed session keeps its start text
      })
      await Promise.race([look.catch(() => {}), slow])
    }
    return sessions.get(sessionID)
  }

  /** The assistant's last words: OpenCode keeps them in a database and nowhere that the program could read. */
  async function answer(sessionID) {
    const slow = new Promise((resolve) => setTimeout(resolve, 1000))
    const look = client.session.messages({ path: { id: sessionID } }).then((messages) => {
      const last = (messages?.data ?? []).filter((one) => one.info?.role === "assistant").at(-1)
      return (last?.parts ?? []).filter((part) => part.type === "text" && part.text).map((part) => part.text).join("\n")
    })
    return (await Promise.race([look.catch(() => {}), slow])) || undefined
  }

  const payload = (sessionID, parentID, more) => ({ sessionID, cwd: directory, parentID, ...more })

  return {
    "chat.message": async ({ sessionID, messageID }, output) => {
      const seen = sessions.has(sessionID)
      const { parentID, fresh } = await about(sessionID)
      const prompt = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")
      const first = !seen && fresh
      const text = await ask("prompt", payload(sessionID, parentID, { prompt, first })) // with `first`: what a session starts with, too
      if (text) {
        const id = `prt_${Date.now().toString(16).padStart(12, "0")}${randomBytes(7).toString("hex")}`
        output.parts.push({ id, sessionID, messageID: output.message?.id ?? messageID, type: "text", text, synthetic: true })
      }
    },
    "tool.execute.after": async ({ tool, sessionID, args }) => {
      if (tool === "read") await ask("tool", payload(sessionID, sessions.get(sessionID)?.parentID ?? null, { tool, args }))
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      const text = await ask("compact", payload(sessionID, sessions.get(sessionID)?.parentID ?? null, {}))
      if (text) output.context.push(text)
    },
    event: async ({ event }) => {
      const sessionID = event.properties?.sessionID
      if (event.type === "session.idle" && sessionID) {
        await ask("turn", payload(sessionID, sessions.get(sessionID)?.parentID ?? null, { answer: await answer(sessionID) }))
      }
    },
    dispose: async () => {
      await Promise.all([...sessions].map(([sessionID, { parentID }]) => ask("end", payload(sessionID, parentID, {}))))
    },
  }
}
