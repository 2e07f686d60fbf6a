"""The founding story on a demo vault: real lines and a page are captured, a date hidden in prose is found, placed and warned about.

Everything runs through the real program in a temporary HOME; the only network is a page served on loopback by this script.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TODAY = "2026-11-30T09:00"  # a Monday

PAGE = """<!doctype html><html><head><meta charset="shift_jis"><title>証明書の自動更新</title></head><body>
<nav><a href="/">トップ</a> <a href="/about">このサイトについて</a></nav>
<article><h1>証明書の自動更新</h1>
<p>証明書の期限切れは、たいてい<strong>担当者が休みの日</strong>に起こります。この記事では、更新を自動化して監視に載せるまでの手順をまとめます。</p>
<h2>手順</h2><ol><li>対象のホスト名を一覧にする</li><li>更新コマンドを試す</li><li>タイマーに登録する</li></ol>
<pre><code class="language-sh">certbot renew --dry-run
</code></pre>
<blockquote><p>試していない更新は、更新とは呼べない。</p></blockquote>
<table><tr><th>ホスト</th><th>期限</th></tr><tr><td>api</td><td>12月</td></tr></table>
<p>最後に、失敗したときの連絡先と、手作業での更新手順を必ず残しておきましょう。自動化は忘れられることで完成しますが、忘れられた手順は障害の日に必要になります。</p>
</article><footer>お問い合わせ</footer></body></html>"""

HIDDEN = """---
date: 2026-11-30
tags:
  - infra
---

# api.example.com

Runs behind the load balancer; owners are Priya and Dana.

The TLS certificate expires on December 29. Last time nobody noticed until the alarm rang at night.
"""

DUMP = """standup notes
- Dana promised the load test results by Wednesday
- remember to book the room for the retro next Tuesday 14:00
- 見積書を12/4(金)までに送付
- the parser is fast enough now
"""


class Demo:
    """Runs commands and shows them as a person would type them."""

    def __init__(self, home: Path) -> None:
        self.vault = home / "demo-vault"
        self.env = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "XDG_STATE_HOME": str(home / ".state"),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "LANG": "C.UTF-8",
        }

    def say(self, text: str) -> None:
        print(f"\n\033[1m# {text}\033[0m" if sys.stdout.isatty() else f"\n# {text}", flush=True)

    def run(self, *words: str, stdin: str | None = None, expect: tuple[int, ...] = (0,), show: int = 0) -> str:
        """Run `vaultkit words…` in the vault; fail loudly on another exit code than *expect*."""
        shown = shlex.join(("vaultkit", *words))
        print(f"$ {shown}" if stdin is None else f"$ {shown} <<'END'\n{stdin}END", flush=True)
        folder = self.vault if self.vault.is_dir() else self.vault.parent
        done = subprocess.run(
            [str(Path(sys.executable).parent / "vaultkit"), *words],
            cwd=folder,
            env=self.env,
            input=stdin,
            text=True,
            capture_output=True,
            check=False,
        )
        lines = done.stdout.splitlines()
        print("\n".join([*lines[:show], f"… ({len(lines) - show} more lines)"] if show and len(lines) > show else lines), flush=True)
        if done.stderr:
            print(done.stderr.rstrip(), flush=True)
        if done.returncode not in expect:
            sys.exit(f"demo: that should have exited with {' or '.join(map(str, expect))}, not {done.returncode}")
        if done.returncode:
            print(f"(exit {done.returncode})", flush=True)
        return done.stdout


def main() -> None:
    """Tell the story."""
    home = Path(tempfile.mkdtemp(prefix="vaultkit-demo-"))
    demo = Demo(home)
    day = ("--today", TODAY)

    demo.say("A new vault: plain Markdown in git, opens in Obsidian as it is")
    demo.run("init", str(demo.vault), show=3)

    demo.say("One line is enough; the deadline goes into a field, not only into prose")
    demo.run("capture", *day, "Send the slides to Priya by EOD Friday")
    demo.run("capture", *day, "歯医者の予約を来週の火曜までに取る")

    demo.say("A longer dump, from standard input")
    demo.run("capture", *day, "-", stdin=DUMP)

    demo.say("A page (served on loopback, in Shift_JIS): its article becomes Markdown, its dates are nobody's deadlines")
    with serve(PAGE.encode("shift_jis")) as address:
        demo.env["VAULTKIT_FETCH_ALLOW"] = address
        demo.run("capture", *day, f"http://{address}/renewal")
        del demo.env["VAULTKIT_FETCH_ALLOW"]

    demo.say("The founding story: somebody types a note in Obsidian, its deadline in prose only")
    (demo.vault / "api-example-com.md").write_text(HIDDEN, "utf-8")
    print((demo.vault / "api-example-com.md").read_text("utf-8"))
    demo.say("The lookahead cannot warn about it yet, but it says so, and lint fails")
    demo.run("lookahead", *day, expect=(1,))
    demo.run("lint", expect=(1,))
    demo.say("The fix is shown before it is made, and can be undone")
    demo.run("lint", "--fix", "--dry-run", expect=(0, 1))
    demo.run("lint", "--fix", expect=(0, 1))
    print((demo.vault / "api-example-com.md").read_text("utf-8"))
    demo.say("A week before the day, it warns")
    demo.run("lookahead", "--today", "2026-12-22", "--level", "week", expect=(1,))

    demo.say("The daily note links everything that was captured")
    demo.run("daily", *day)

    demo.say("Search answers with a table of contents, in both languages")
    demo.run("search", "slides priya")
    demo.run("search", "証明書 更新")

    demo.say("What changed, and how to take it back")
    demo.run("history", "-n", "3")
    demo.run("undo", "--dry-run")
    print(f"\nThe vault stays at {demo.vault}: open it in Obsidian, or delete it.")


class serve:  # noqa: N801 - reads as a verb where it is used
    """One page on loopback, for as long as the `with` lasts; gives host:port."""

    def __init__(self, body: bytes) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self) -> str:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"127.0.0.1:{self._server.server_address[1]}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


if __name__ == "__main__":
    main()
