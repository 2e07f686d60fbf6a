"""The use cases, one short function each: (app, request) → result. Every face (command line, daemon, REST, MCP) calls these and nothing else."""
