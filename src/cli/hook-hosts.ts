/** Agents whose hooks tell events as Claude Code's do. */
export const hookHosts = ["qwen-code", "claude-code"] as const;
