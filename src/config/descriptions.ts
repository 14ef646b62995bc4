/** What each setting does, for people. Apart from the schema, since the first frame waits for that. */
import type { SettingName } from './schema.ts'

const descriptions: Readonly<Record<SettingName, string>> = {
  theme: 'The theme: auto, the name of a theme, or the path of a theme file.',
  color: 'Use colours.',
  ascii: 'Draw with ASCII characters only (for fonts that lack the others).',
  reducedMotion: 'No animations; no running counters while the agent works.',
  screenReader: 'Output for screen readers: plain lines from top to bottom, and numbered lists.',
  editor: "The keys of the composer: default, as in a shell, or vim's (docs/keys.md).",
  enterWhileWorking: 'What Enter does in a turn: queue, or steer; Alt+S does the other.',
  detail: 'How much of each tool call is shown.',
  thinking: "How the model's thinking is shown (if the agent reports it): folded to one line, or in full.",
  mouse: 'Mouse wheel and clicks in the viewer.',
  terminalTitle: "Show status in the terminal's title.",
  progress: 'Show progress in the terminal (OSC 9;4) while the agent works.',
  promptMarks: 'Mark prompts (OSC 133), so that the terminal can jump to them.',
  statusLine: 'A command that adds a status line: its first line of output (docs/appearance.md); null for none.',
  statusFacts: 'The facts in the status line (in this order); an empty list for none.',
  notifications: 'How to notify you after a long turn (if you are in another window).',
  notifyAfterSeconds: 'Seconds after which a turn is long (see notifications).',
  serveAt: 'The address of a tunnel (https, to what /serve and zotui serve show); null for none.',
  servePort: 'The port of /serve (and of zotui serve), on this machine only.',
  serveNotifyAfter: 'Seconds before phones are notified (of a question, or of the end of a turn that took as long).',
  serveNotifyContent: 'Say what is asked in notifications (also the title, not only the folder; docs/phone.md).',
  serveNotifyCommand: 'A command for notifications (with JSON on its input; docs/phone.md); null for none.',
  ntfyUrl: 'Notifications by ntfy: the address of a topic, such as https://ntfy.sh/TOPIC; null for none.',
  boardHosts: 'Other machines on the board: names of ssh, such as build (docs/fleet.md).',
  permissions:
    'What zot may do without asking: ask (read only), edits (and edit files in the folder), contained (and run commands in the sandbox), plan, allow (everything), read.',
  allow: 'Rules for what runs without asking (such as "Bash(npm test:*)"). Ask and deny rules win.',
  ask: 'Rules for what always asks first.',
  deny: 'Rules for what never runs (such as "Read(.env)").',
  hooks: 'Commands that run on events. They can block a prompt or answer a permission request (docs/hooks.md).',
  readOnly: 'The same as permissions = read: no edits, and no commands that do more than read.',
  sandbox: 'Run commands in a sandbox: off, on, or closed (no network). See docs/sandbox.md.',
  sandboxWrite: 'Also writable in the sandbox (files and folders).',
  sandboxHosts: 'Hosts for the sandbox (such as "registry.npmjs.org" or "*.github.com:443"); others ask.',
  sandboxHide: 'Hidden in the sandbox (files and folders).',
  sandboxOutside: 'Rules to ask to run outside (of the sandbox, such as "Bash(docker:*)").',
  agent:
    'The agent to talk to: zot, claude, codex, gemini, opencode, qwen, copilot, vibe, cline, meerkat, roz, or the command of another; null for zot.',
  mcp: 'MCP servers for the agent (see docs/agents.md).',
  zot: 'The zot to run; null for the one in PATH.',
  sendKeys:
    "Pass provider keys to other machines: the agent there (--on, --via) gets the keys in this machine's environment.",
  rkatRpc: 'The rkat-rpc to run for Meerkat; null for the one in PATH.',
  provider: "The provider that zot starts with; null for zot's own choice.",
  model: "The model that zot starts with; null for zot's own choice.",
  reasoning: "The reasoning level zot starts with; null for zot's own choice.",
  favouriteModels: 'The models that are listed first.',
  compactAt: 'Compact at this context usage (in percent); 0 for never.',
  memoryTokens: 'Maximum tokens for a restarted agent: at most this much of the conversation is sent again.',
  mentions: 'What a prompt sends of an @file: its content, or only its name.',
  mentionTokens: 'Maximum tokens of @files per prompt. If a file does not fit, only its name is sent.',
  maxCostUsd:
    'Spending limit per session (in dollars): once it is reached, no more prompts are sent; null for no limit.',
  maxCostPerDayUsd:
    'Spending limit per day (in dollars, of all conversations in all folders): once it is reached, no new turn begins; null for no limit.',
  turnsAtOnce: 'Conversations that may work at once; null for the number of processors.',
  worktreeSetup: 'Run once in each new worktree (such as "npm ci"; docs/fleet.md); null for none.',
  worktreeFiles: 'Ignored files for worktrees (such as ".env"; ** is any folder; docs/fleet.md).',
  raceCheck: 'Checks what /race made (such as "npm test"); null for none.',
  idleAgents: 'How many idle agents to keep running (of other conversations); the others are restarted when needed.',
  prices:
    'Prices of models (in dollars per million tokens) for which the agent reports none; * in a name matches anything.',
  archiveCleared: "Archive Meerkat's session at /clear (it is then no longer listed).",
  retentionDays: 'Delete sessions after this many days; 0 keeps all.',
  checkpoints: 'Save files before each prompt (so that /rewind can restore them).',
  checkpointsMb: 'Megabytes that saved files may take (in all folders); the oldest are removed.',
  updateNotice: 'Check once a day for a newer version.',
}

/** The description of a setting, as a sentence. */
export function describeSetting(name: SettingName): string {
  return descriptions[name]
}
