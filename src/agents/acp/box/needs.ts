/**
 * What the agents of the table need in the sandbox, which holds an agent's whole process. What an agent can read there, its commands can read,
 * too. Pure.
 */
import { lookup } from '../../../text/lookup.ts'

/** A folder of the agent's own, which it can write. */
export type AgentFolder = {
  /** From the home folder on. */
  path: string
  /** The variable that names it instead, and what follows the folder of the variable. */
  named?: { variable: string; below: string }
  /**
   * Parts that decide what the agent runs outside of the sandbox later: in it they stay as they are. A missing one is made, with this text, or
   * as a folder for null.
   */
  held: Readonly<Record<string, string | null>>
  /** Folders with what the agent runs or sources: in the sandbox it has others, which no agent outside looks into. */
  apart: readonly string[]
  /** A file of settings in it, and what in that names the variable of a key, and the address of a model. Each has one group. */
  settings?: { file: string; variables: RegExp; addresses: RegExp }
}

export type BoxNeeds = {
  folders: readonly AgentFolder[]
  /**
   * Files in the home folder that the agent replaces by others: it gets copies, and what it changes in them is gone with the sandbox. `named` is
   * the variable whose folder holds the file instead.
   */
  copied: readonly { path: string; named: string }[]
  /** The names of its variables: its keys, among others. */
  variables: RegExp
  /** Its variables with the addresses of models. */
  addresses: readonly string[]
  /** The hosts that it cannot work without. */
  hosts: readonly string[]
  /** Hosts of statistics: they are refused without a question. */
  refused: readonly string[]
  /** Hosts to which it connects by itself at each start, and does without: the first connection to each is refused without a question. */
  refusedFirst?: readonly string[]
  /** Variables that it is started with in the sandbox. */
  set: Readonly<Record<string, string>>
  /** What a user has to know, as sentences. */
  notes: readonly string[]
}

const LOGIN = 'Log in outside of the sandbox: a browser cannot be opened in it.'

/** For an agent without a row: it has the folder, an empty home folder, and no key. */
const unknown: BoxNeeds = {
  folders: [],
  copied: [],
  variables: /^$/,
  addresses: [],
  hosts: [],
  refused: [],
  set: {},
  notes: [
    'zotui does not know this agent: in the sandbox it has an empty home folder and none of your keys, and it asks for each host. The setting sandboxWrite opens its folder.',
  ],
}

const rows: Readonly<Record<string, BoxNeeds>> = {
  claude: {
    folders: [
      {
        path: '.claude',
        named: { variable: 'CLAUDE_CONFIG_DIR', below: '' },
        held: {
          'settings.json': '{}\n',
          'CLAUDE.md': '',
          agents: null,
          commands: null,
          skills: null,
          hooks: null,
          rules: null,
          plugins: null,
          'output-styles': null,
          workflows: null,
          local: null,
        },
        apart: ['shell-snapshots', 'session-env'],
      },
    ],
    copied: [{ path: '.claude.json', named: 'CLAUDE_CONFIG_DIR' }],
    variables:
      /^(?:ANTHROPIC_\w+|CLAUDE_\w+|API_TIMEOUT_MS|BASH_(?:DEFAULT|MAX)_\w+|MAX_THINKING_TOKENS|DISABLE_\w+|AWS_(?:PROFILE|REGION|BEARER_TOKEN_BEDROCK)|CLOUD_ML_REGION|VERTEX_\w+)$/,
    addresses: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_BEDROCK_BASE_URL', 'ANTHROPIC_VERTEX_BASE_URL'],
    hosts: ['api.anthropic.com', 'platform.claude.com', 'console.anthropic.com', 'claude.ai'],
    refused: ['statsig.anthropic.com', '*.datadoghq.com', '*.sentry.io'],
    set: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    notes: [
      LOGIN,
      'What Claude Code changes in ~/.claude.json is gone with the sandbox, and it cannot change its own settings, hooks, skills and plugins.',
    ],
  },
  codex: {
    folders: [
      {
        path: '.codex',
        named: { variable: 'CODEX_HOME', below: '' },
        held: {
          'config.toml': '',
          'hooks.json': '{}\n',
          'AGENTS.md': '',
          'AGENTS.override.md': '',
          prompts: null,
          rules: null,
          agents: null,
          plugins: null,
          packages: null,
          skills: null,
        },
        apart: ['shell_snapshots', 'tmp', '.tmp', 'skills/.system', 'app-server-control', 'app-server-daemon'],
        settings: {
          file: 'config.toml',
          variables: /^\s*env_key\s*=\s*["']([A-Za-z_]\w*)["']/gm,
          addresses: /^\s*base_url\s*=\s*["']([^"']+)["']/gm,
        },
      },
    ],
    copied: [],
    variables: /^(?:CODEX_\w+|OPENAI_\w+|AZURE_OPENAI_\w+|MODEL_PROVIDER|DEFAULT_AUTH_REQUEST|NO_BROWSER|RUST_LOG)$/,
    addresses: ['OPENAI_BASE_URL'],
    hosts: ['api.openai.com', 'auth.openai.com', 'chatgpt.com'],
    refused: ['ab.chatgpt.com', '*.sentry.io'],
    // It looks for plugins.
    refusedFirst: ['github.com', 'api.github.com'],
    set: { INITIAL_AGENT_MODE: 'agent-full-access' },
    notes: [
      LOGIN,
      "Codex's own sandbox cannot work in this one. In its mode Full access it is off, and this one holds the commands. In its other modes it refuses each command first, and Codex asks to run it without: this one holds it then, too.",
      'A command that you allow for good is asked about again in the next conversation, as Codex cannot write its rules.',
    ],
  },
  gemini: {
    folders: [
      {
        path: '.gemini',
        held: {
          'settings.json': '{}\n',
          'GEMINI.md': '',
          '.env': '',
          'trustedFolders.json': '{}\n',
          commands: null,
          extensions: null,
          skills: null,
          agents: null,
          policies: null,
        },
        apart: ['history', 'tmp/bin'],
      },
    ],
    copied: [],
    variables: /^(?:GEMINI_\w+|GOOGLE_(?:API_KEY|GEMINI_\w+|CLOUD_\w+|GENAI_\w+|VERTEX_\w+)|CODE_ASSIST_ENDPOINT)$/,
    addresses: ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL', 'CODE_ASSIST_ENDPOINT'],
    hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
    refused: ['play.googleapis.com'],
    set: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    notes: [LOGIN, 'Gemini cannot change its own settings, extensions and commands.'],
  },
  opencode: {
    folders: [
      {
        path: '.local/share/opencode',
        named: { variable: 'XDG_DATA_HOME', below: 'opencode' },
        held: {},
        apart: ['bin', 'snapshot', 'worktree', 'plugins'],
      },
      {
        path: '.local/state/opencode',
        named: { variable: 'XDG_STATE_HOME', below: 'opencode' },
        held: {},
        apart: [],
      },
      {
        path: '.config/opencode',
        named: { variable: 'XDG_CONFIG_HOME', below: 'opencode' },
        held: {
          'opencode.json': '{}\n',
          'opencode.jsonc': '{}\n',
          'config.json': '{}\n',
          'AGENTS.md': '',
          'package.json': '{}\n',
          agent: null,
          agents: null,
          command: null,
          commands: null,
          plugin: null,
          plugins: null,
          tool: null,
          tools: null,
          mode: null,
          modes: null,
          skill: null,
          skills: null,
        },
        apart: ['node_modules'],
        settings: {
          file: 'opencode.json',
          variables: /\{env:([A-Za-z_]\w*)\}/g,
          addresses: /"baseURL"\s*:\s*"([^"]+)"/g,
        },
      },
    ],
    copied: [],
    variables:
      /^(?:OPENCODE_\w+|XDG_(?:DATA|STATE|CONFIG)_HOME|(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE_GENERATIVE_AI|GROQ|OPENROUTER|DEEPSEEK|MISTRAL|XAI|MOONSHOT)_API_KEY)$/,
    addresses: [],
    hosts: ['models.dev', 'opencode.ai', 'api.opencode.ai'],
    refused: [],
    // It installs what its plugins need.
    refusedFirst: ['registry.npmjs.org'],
    set: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
    notes: [
      LOGIN,
      'OpenCode asks for the host of its model. It installs plugins only if registry.npmjs.org is in sandboxHosts.',
    ],
  },
  qwen: {
    folders: [
      {
        path: '.qwen',
        named: { variable: 'QWEN_HOME', below: '' },
        held: {
          'settings.json': '{}\n',
          'QWEN.md': '',
          '.env': '',
          'trustedFolders.json': '{}\n',
          commands: null,
          extensions: null,
          skills: null,
          agents: null,
          hooks: null,
        },
        apart: ['history', 'bin', 'tmp/bin', 'extension-store'],
        settings: {
          file: 'settings.json',
          variables: /"envKey"\s*:\s*"([A-Za-z_]\w*)"/g,
          addresses: /"baseUrl"\s*:\s*"([^"]+)"/g,
        },
      },
    ],
    copied: [],
    variables: /^(?:QWEN_\w+|OPENAI_\w+|DASHSCOPE_\w+|BAILIAN_\w+)$/,
    addresses: ['OPENAI_BASE_URL', 'DASHSCOPE_BASE_URL'],
    hosts: ['chat.qwen.ai', 'portal.qwen.ai', 'dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com'],
    refused: ['*.rum.aliyuncs.com'],
    set: { QWEN_CODE_NO_RELAUNCH: 'true' },
    notes: [LOGIN, 'Qwen Code cannot change its own settings, extensions and commands.'],
  },
  copilot: {
    folders: [
      {
        path: '.copilot',
        named: { variable: 'COPILOT_HOME', below: '' },
        held: {
          'config.json': '{}\n',
          'settings.json': '{}\n',
          'mcp-config.json': '{}\n',
          'lsp-config.json': '{}\n',
          'permissions-config.json': '{}\n',
          'copilot-instructions.md': '',
          agents: null,
          skills: null,
          hooks: null,
          extensions: null,
          'installed-plugins': null,
        },
        apart: ['pkg'],
      },
    ],
    copied: [],
    variables: /^(?:COPILOT_\w+|GH_TOKEN|GITHUB_TOKEN|GH_HOST)$/,
    addresses: ['COPILOT_PROVIDER_BASE_URL'],
    hosts: ['api.github.com', '*.githubcopilot.com'],
    refused: [],
    set: { COPILOT_AUTO_UPDATE: 'false' },
    notes: [
      LOGIN,
      'A login in the keyring of the desktop cannot be read in the sandbox: set COPILOT_GITHUB_TOKEN.',
      'Copilot cannot change its own settings, hooks and plugins.',
    ],
  },
  vibe: {
    folders: [
      {
        path: '.vibe',
        named: { variable: 'VIBE_HOME', below: '' },
        held: {
          'config.toml': '',
          'trusted_folders.toml': '',
          '.env': '',
          'hooks.toml': '',
          'AGENTS.md': '',
          agents: null,
          prompts: null,
          skills: null,
          tools: null,
        },
        apart: [],
        settings: {
          file: 'config.toml',
          variables: /^\s*api_key_env_var\s*=\s*["']([A-Za-z_]\w*)["']/gm,
          addresses: /^\s*api_base\s*=\s*["']([^"']+)["']/gm,
        },
      },
    ],
    copied: [],
    variables: /^(?:VIBE_\w+|MISTRAL_\w+)$/,
    addresses: [],
    hosts: ['api.mistral.ai'],
    refused: [],
    set: {},
    notes: [LOGIN, 'Mistral Vibe cannot change its own settings, tools and skills.'],
  },
  cline: {
    folders: [
      {
        path: '.cline',
        named: { variable: 'CLINE_DIR', below: '' },
        held: {
          'data/settings/cline_mcp_settings.json': '{}\n',
          hooks: null,
          plugins: null,
          rules: null,
          skills: null,
          workflows: null,
        },
        apart: [],
      },
    ],
    copied: [],
    variables: /^(?:CLINE_\w+|(?:ANTHROPIC|OPENAI|GEMINI|GROQ|OPENROUTER|DEEPSEEK|MISTRAL|XAI|MOONSHOT)_API_KEY)$/,
    addresses: [],
    hosts: ['api.cline.bot', 'app.cline.bot'],
    refused: ['data.cline.bot', '*.posthog.com'],
    set: {},
    notes: [LOGIN, 'Cline asks for the host of its model.'],
  },
}

/** By the name in the table of agents; null is an agent without one. */
export function boxNeeds(name: string | null): BoxNeeds {
  return (name === null ? undefined : lookup(rows, name)) ?? unknown
}
