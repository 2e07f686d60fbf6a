"""A model that coding agents talk to on the loopback: Anthropic Messages, OpenAI Responses and Chat, Gemini. It records what it is sent.

It answers `FAKE-REPLY ok`, or calls tools as told: `say("WORD", Call("shell", "ls"))` makes the next prompt with WORD in it run them in turn.
"""

from __future__ import annotations

import gzip
import json
import re
import shlex
import threading
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self

REPLY = "FAKE-REPLY ok"

# What each kind of call is named by the harnesses, and which parameter takes its text.
_TOOLS: Mapping[str, Mapping[str, str]] = {
    "read": {
        "Read": "file_path",
        "read_file": "file_path",
        "view": "path",
        "read": "filePath",
        "exec_command": "cmd",
        "shell_command": "command",
    },
    "agent": {"Agent": "prompt"},
    "shell": {"Bash": "command", "run_shell_command": "command", "bash": "command", "exec_command": "cmd", "shell_command": "command"},
}
_HIDDEN = {"authorization", "x-api-key", "x-goog-api-key"}


class Call(NamedTuple):
    """One tool call: `read` a file, run a `shell` line, or give a subtask to an `agent`. *more*: further arguments."""

    kind: str
    text: str
    more: Mapping[str, Any] = {}


class Request(NamedTuple):
    """One request as it came; headers without keys."""

    path: str
    headers: dict[str, str]
    body: Any

    @property
    def text(self) -> str:
        """All of it, unescaped as far as one search needs."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def tools(self) -> bool:
        """Is it a turn of the agent, not a title or a summary beside it?"""
        return isinstance(self.body, dict) and bool(self.body.get("tools"))


class FakeModel:
    """Listens while it is open: `with FakeModel() as model: … model.requests`."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.scripts: dict[str, tuple[Call, ...]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.model = self  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def say(self, word: str, *calls: Call) -> None:
        """A prompt with *word* in it makes these calls, one after the other."""
        self.scripts[word] = calls

    @property
    def turns(self) -> list[Request]:
        """The requests of the agent itself."""
        return [request for request in self.requests if request.tools]

    def clear(self) -> None:
        """Forget what came."""
        self.requests.clear()

    def call_for(self, body: Any) -> tuple[str, dict[str, Any], int] | None:
        """The tool call to answer with: name, arguments, which one it is."""
        text = json.dumps(body, ensure_ascii=False)
        calls = next((calls for word, calls in self.scripts.items() if word in text), ())
        done = len(
            re.findall(r'"type": "(?:tool_result|function_call_output|custom_tool_call_output)"|"role": "tool"|"functionResponse"', text)
        )
        tools = dict(_tools(body))
        if done >= len(calls) or not tools:
            return None
        call = calls[done]
        for name, parameter in _TOOLS[call.kind].items():
            if name in tools:
                value = f"cat {shlex.quote(call.text)}" if call.kind == "read" and parameter in {"cmd", "command"} else call.text
                return name, {**_filled(tools[name]), **call.more, parameter: value}, done
        raise AssertionError(f"no tool for {call.kind} among {sorted(tools)}")


def _tools(body: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for tool in body.get("tools") or ():
        for one in (tool, tool.get("function"), *tool.get("functionDeclarations", ())):
            if isinstance(one, dict) and isinstance(one.get("name"), str):
                schema = one.get("input_schema") or one.get("parameters") or one.get("parametersJsonSchema") or {}
                yield one["name"], schema


def _filled(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A value for every parameter that is required."""
    by_type = {"string": "x", "boolean": False, "integer": 1, "number": 1, "array": [], "object": {}}
    kinds = schema.get("properties", {})
    return {
        name: kinds.get(name, {}).get("enum", [by_type.get(str(kinds.get(name, {}).get("type")).lower(), "x")])[0]
        for name in schema.get("required", ())
    }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Quiet."""

    @property
    def model(self) -> FakeModel:
        found: FakeModel = self.server.model  # type: ignore[attr-defined]
        return found

    def do_GET(self) -> None:
        self._record(b"")
        self._send({"object": "list", "data": [{"id": "fake-1", "object": "model"}], "models": []})

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        body = self._record(self._body())
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            self._send({"input_tokens": 10})
        elif "countTokens" in path:
            self._send({"totalTokens": 10})
        elif path.endswith("/messages"):
            self._anthropic(body)
        elif path.endswith("/responses"):
            self._responses(body)
        elif path.endswith("/chat/completions"):
            self._chat(body)
        elif "enerateContent" in path:
            self._gemini(body, stream="stream" in path)
        else:
            self._send({})

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("transfer-encoding", ""):
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            data = b"".join(parts)
        else:
            data = self.rfile.read(int(self.headers.get("content-length") or 0))
        return gzip.decompress(data) if self.headers.get("content-encoding") == "gzip" else data

    def _record(self, data: bytes) -> Any:
        try:
            body = json.loads(data) if data else {}
        except ValueError:
            body = {"unread": data.decode("latin-1")[:2000]}
        headers = {name.lower(): "…" if name.lower() in _HIDDEN else value for name, value in self.headers.items()}
        self.model.requests.append(Request(self.path, headers, body))
        return body

    def _send(self, value: Any) -> None:
        self._write(json.dumps(value).encode(), "application/json")

    def _stream(self, events: Sequence[Any], *, named: bool = False, end: str = "") -> None:
        lines = [
            f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" if named else f"data: {json.dumps(event)}\r\n\r\n" for event in events
        ]
        self._write(("".join(lines) + end).encode(), "text/event-stream")

    def _write(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _anthropic(self, body: Any) -> None:
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model"), "stop_sequence": None}
        usage = {"input_tokens": 10, "output_tokens": 3}
        call = self.model.call_for(body)
        if call:
            name, arguments, number = call
            block = {"type": "tool_use", "id": f"toolu_vk{number}", "name": name}
            start, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
            whole, stop = {**block, "input": arguments}, "tool_use"
        else:
            start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": REPLY}
            whole, stop = {"type": "text", "text": REPLY}, "end_turn"
        if not body.get("stream"):
            self._send({**message, "content": [whole], "stop_reason": stop, "usage": usage})
            return
        self._stream(
            [
                {"type": "message_start", "message": {**message, "content": [], "stop_reason": None, "usage": usage}},
                {"type": "content_block_start", "index": 0, "content_block": start},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 3}},
                {"type": "message_stop"},
            ],
            named=True,
        )

    def _responses(self, body: Any) -> None:
        call = self.model.call_for(body)
        item: dict[str, Any]
        if call:
            name, arguments, number = call
            item = {
                "type": "function_call",
                "id": f"fc_vk{number}",
                "call_id": f"call_vk{number}",
                "name": name,
                "arguments": json.dumps(arguments),
            }
        else:
            content = [{"type": "output_text", "text": REPLY, "annotations": []}]
            item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}
        usage = {
            "input_tokens": 10,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 3,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 13,
        }
        response = {"id": "resp_1", "object": "response", "model": body.get("model"), "created_at": 1}
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
        ]
        if not call:
            events.append({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0, "delta": REPLY})
        events += [
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {**response, "status": "completed", "output": [item], "usage": usage}},
        ]
        self._stream([{**event, "sequence_number": at} for at, event in enumerate(events)], named=True)

    def _chat(self, body: Any) -> None:
        head = {"id": "c", "created": 1, "model": body.get("model")}
        usage = {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13}
        call = self.model.call_for(body)
        message: dict[str, Any] = {"role": "assistant", "content": REPLY}
        if call:
            name, arguments, number = call
            function = {"name": name, "arguments": json.dumps(arguments)}
            message = {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"index": 0, "id": f"call_vk{number}", "type": "function", "function": function}],
            }
        finish = "tool_calls" if call else "stop"
        if not body.get("stream"):
            choices = [{"index": 0, "message": message, "finish_reason": finish}]
            self._send({**head, "object": "chat.completion", "choices": choices, "usage": usage})
            return
        chunk = {**head, "object": "chat.completion.chunk"}
        self._stream(
            [
                {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
                {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]},
                {**chunk, "choices": [], "usage": usage},
            ],
            end="data: [DONE]\n\n",
        )

    def _gemini(self, body: Any, *, stream: bool) -> None:
        wanted = body.get("generationConfig") or {}
        part: dict[str, Any] = {"text": REPLY}
        if wanted.get("responseMimeType") == "application/json" or wanted.get("responseJsonSchema"):
            # What its router and its next-speaker check ask for.
            words = {"complexity_reasoning": "x", "complexity_score": 1, "reasoning": "x", "model_choice": "flash", "next_speaker": "user"}
            part = {"text": json.dumps(words)}
        elif call := self.model.call_for(body):
            part = {"functionCall": {"name": call[0], "args": call[1]}}
        answer = {
            "candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 3, "totalTokenCount": 13},
            "modelVersion": "fake",
        }
        self._stream([answer]) if stream else self._send(answer)
