/** Enforces the layering rules: which folder may import which, what pure code may touch, and how files and types are named. */
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { describe, expect, test } from 'vitest'
import { fullKeymap } from '../components/pages/keymap.ts'
import { knownAgents } from '../src/agents/acp/known-agents.ts'

type Rule = {
  /** The folders that it may import, each with its subfolders. */
  imports: readonly string[]
  /** The packages that it may import. */
  packages: readonly string[]
  /** Whether it may import Node's own modules. */
  node: boolean
  /** Pure: the same for the same input. No clock, no chance, no process. */
  pure?: boolean
}

const pure = { node: false, pure: true } as const

/** The rules of the folders. Every folder may import `text`. A rule never names a single file. */
const table: Record<string, Rule> = {
  bin: {
    imports: [
      'fleet',
      'places',
      'race',
      'move',
      'serve',
      'published',
      'review',
      'components',
      'commands',
      'transcript',
      'program',
      'hooks',
      'app',
      'state',
      'conversation',
      'markdown',
      'style',
      'terminal',
      'agents',
      'agent',
      'background',
      'print',
      'replay',
      'export',
      'import',
      'doctor',
      'serve',
      'changes',
      'permissions',
      'sandbox',
      'checkpoints',
      'worktrees',
      'storage',
      'usage',
      'config',
      'platform',
    ],
    packages: ['meow', 'env-paths', 'execa'],
    node: true,
  },
  components: {
    imports: [
      'fleet',
      'published',
      'review',
      'race',
      'commands',
      'agent',
      'app',
      'transcript',
      'tools',
      'state',
      'conversation',
      'composer',
      'markdown',
      'style',
      'terminal',
      'usage',
    ],
    packages: ['ink', 'react'],
    node: false,
  },

  // The words between a conversation, the server for browsers, and the terminal of the person: schemas and types. `app` imports it, too, so it
  // imports no program.
  published: { imports: ['agent'], packages: ['zod'], ...pure },
  // What a conversation in a UI and one in the background have in common: their questions as they are shown, and the answers that count.
  'published/answers': {
    imports: ['published', 'agent', 'composer', 'conversation', 'export', 'platform'],
    packages: [],
    node: true,
  },
  // What a running conversation shows to other programs of its person, and takes from them.
  'published/socket': {
    imports: ['published', 'agent', 'agents/background', 'conversation', 'export', 'state', 'storage', 'platform'],
    packages: ['zod'],
    node: true,
  },
  // The server for browsers, and its page.
  serve: {
    imports: [
      'agent',
      'serve/rendering',
      'published/socket',
      'published',
      'background',
      'conversation',
      'export',
      'state',
      'storage',
      'tools',
      'config',
      'sandbox',
      'platform',
    ],
    packages: ['zod', 'uqr'],
    node: true,
  },

  // A conversation as blocks of HTML.
  'serve/rendering': {
    imports: ['agent', 'conversation', 'export', 'markdown', 'tools'],
    packages: [],
    node: false,
    pure: true,
  },
  // The page, which runs in browsers. It has types of the wire, and no package.
  'serve/page': { imports: ['serve', 'published', 'agent'], packages: [], node: false },
  'serve/page/worker': { imports: ['serve'], packages: [], node: false },

  // The board: the conversations of all machines as rows, and the lines that carry them.
  fleet: { imports: ['published', 'agent', 'platform'], packages: ['zod'], node: true },
  // Where the rows come from: this machine, others, clusters, and containers.
  'fleet/sources': {
    imports: [
      'fleet',
      'published',
      'published/socket',
      'agent',
      'agents',
      'background',
      'changes',
      'places',
      'worktrees',
      'storage',
      'config',
      'platform',
    ],
    packages: ['zod'],
    node: true,
  },
  // The places to work in that zotui starts itself: containers, and Jobs of Kubernetes.
  places: { imports: ['platform', 'changes', 'sandbox'], packages: ['zod', 'yaml', 'execa'], node: true },
  // One prompt for several agents, each in a worktree.
  race: {
    imports: ['agent', 'conversation', 'changes', 'worktrees', 'storage', 'usage', 'platform'],
    packages: ['zod'],
    node: true,
  },
  // What a conversation takes along to another machine, and brings back.
  move: {
    imports: [
      'agents/acp',
      'agents/meerkat',
      'agents/roz',
      'agents/remote-tools',
      'agents/zot',
      'changes',
      'storage',
      'platform',
    ],
    packages: ['zod'],
    node: true,
  },

  // The vocabulary, and the agents that speak it.
  agent: { imports: [], packages: ['zod'], ...pure },
  agents: {
    imports: ['agent', 'agents', 'local-tools', 'permissions', 'sandbox', 'platform'],
    packages: ['zod'],
    node: true,
  },
  'agents/transport': { imports: ['agent', 'platform'], packages: ['execa', 'zod'], node: true },
  'agents/zot': {
    imports: ['agent', 'agents/tool-host', 'agents/host', 'agents/transport', 'local-tools', 'sandbox', 'platform'],
    packages: ['zod', 'execa'],
    node: true,
  },
  'agents/demo': {
    imports: ['agent', 'agents/tool-host', 'agents/host', 'agents/transport'],
    packages: ['zod'],
    node: true,
  },
  // What every agent needs, once: its start, its operations, its replacement and its end. It knows no agent.
  'agents/host': { imports: ['agent', 'agents/transport', 'platform'], packages: [], node: true },
  // Tools that run here for an agent, and its calls that are asked about.
  'agents/tool-host': {
    imports: ['agent', 'local-tools', 'permissions', 'sandbox', 'platform'],
    packages: [],
    node: true,
  },
  // These tools on another machine: a program there, and what speaks with it.
  'agents/remote-tools': {
    imports: ['agent', 'agents/tool-host', 'agents/host', 'agents/transport', 'local-tools', 'platform'],
    packages: ['zod'],
    node: true,
  },
  'agents/acp': {
    imports: ['agent', 'agents/tool-host', 'agents/host', 'agents/transport', 'local-tools', 'sandbox', 'platform'],
    packages: ['zod'],
    node: true,
  },
  'agents/meerkat': {
    imports: ['agent', 'agents/tool-host', 'agents/host', 'agents/transport', 'local-tools', 'platform'],
    packages: ['zod'],
    node: true,
  },
  'agents/roz': {
    imports: ['agent', 'agents/tool-host', 'agents/host', 'agents/transport', 'local-tools', 'platform'],
    packages: ['@grpc/grpc-js', 'protobufjs'],
    node: true,
  },
  'agents/recording': { imports: ['agent', 'agents/transport'], packages: ['zod'], node: false },
  'agents/background': {
    imports: ['agent', 'agents/host', 'agents/transport', 'platform'],
    packages: ['zod'],
    node: true,
  },
  // The part that other programs build on. It adds nothing of its own.
  client: { imports: ['agent', 'agents'], packages: [], node: false },

  // The conversation and what is drawn of it.
  conversation: { imports: ['agent'], packages: ['zod'], ...pure },
  // Tokens, cost and time: records made of events, their sums, and their texts.
  usage: { imports: ['agent'], packages: ['zod'], ...pure },
  composer: { imports: [], packages: ['fuzzysort'], ...pure },
  text: { imports: [], packages: ['string-width'], ...pure },
  markdown: { imports: ['review/findings'], packages: ['marked', 'remend', 'highlight.js'], ...pure },
  // The built-in themes are files beside the sources, where people look for an example.
  style: { imports: ['markdown', 'themes'], packages: [], ...pure },
  tools: { imports: ['agent', 'conversation', 'markdown', 'style'], packages: ['diff', 'zod'], ...pure },
  // Comments on a diff and findings of a review: what they are, how they follow their lines, what is sent of them.
  review: { imports: ['review/findings', 'agent', 'conversation', 'tools'], packages: ['zod'], ...pure },
  // What an answer says that a review found: the transcript shows it, so nothing is loaded with it.
  'review/findings': { imports: [], packages: [], ...pure },
  state: {
    imports: ['agent', 'conversation', 'composer', 'tools', 'review', 'config', 'export'],
    packages: [],
    ...pure,
  },
  // One machine for an agent and its turn: phases, inputs and effects.
  turn: { imports: ['agent', 'conversation', 'state'], packages: [], ...pure },
  transcript: { imports: ['conversation', 'markdown', 'style', 'tools'], packages: [], ...pure },
  // The only room that writes colours.
  terminal: { imports: ['platform'], packages: ['chalk'], node: true },

  // Decides which calls may run. The caller resolves the paths.
  permissions: { imports: ['agent', 'permissions'], packages: [], ...pure },
  'permissions/shell': { imports: [], packages: ['unbash'], ...pure },

  // The user's commands on events.
  hooks: { imports: ['agent', 'agents/host', 'conversation', 'config', 'platform'], packages: [], node: true },

  // The program. Its folders stand in this order; the controller puts them together.
  app: {
    imports: ['fleet', 'published', 'review', 'app', 'state', 'conversation', 'storage'],
    packages: [],
    node: true,
  },
  'app/events': {
    imports: ['state', 'conversation', 'agent', 'storage', 'platform'],
    packages: [],
    node: true,
  },
  'app/context': {
    imports: [
      'published',
      'review',
      'hooks',
      'app/events',
      'state',
      'conversation',
      'composer',
      'markdown',
      'agent',
      'changes',
      'checkpoints',
      'worktrees',
      'storage',
      'config',
      'platform',
    ],
    packages: [],
    node: true,
  },
  // The way of a conversation to another machine, and back.
  'app/move': {
    imports: ['app', 'app/context', 'move', 'permissions', 'state', 'storage', 'worktrees'],
    packages: [],
    node: true,
  },
  // The pages as the rest of the program sees them.
  'app/pages': {
    imports: [
      'fleet',
      'published',
      'review',
      'usage',
      'composer',
      'app/context',
      'app/race',
      'conversation',
      'changes',
      'tools',
      'storage',
    ],
    packages: [],
    node: false,
  },
  // The search in all sessions.
  'app/find': {
    imports: [
      'state',
      'platform',
      'app/context',
      'app/composer',
      'app/pages',
      'app/turns',
      'agent',
      'conversation',
      'usage',
      'storage',
    ],
    packages: [],
    node: true,
  },
  // The files that a conversation changes.
  'app/changes': {
    imports: [
      'review',
      'app/context',
      'app/pages',
      'state',
      'conversation',
      'tools',
      'agent',
      'changes',
      'checkpoints',
      'storage',
      'platform',
    ],
    packages: [],
    node: true,
  },
  // The server for browsers that this zotui starts.
  'app/serve': { imports: ['app/context', 'published', 'serve'], packages: [], node: false },
  // Races: what is done with conversations and worktrees. Loaded when one is asked for.
  'app/race': {
    imports: [
      'app/context',
      'app/worktrees',
      'race',
      'state',
      'conversation',
      'worktrees',
      'storage',
      'usage',
      'platform',
    ],
    packages: [],
    node: true,
  },
  'app/composer': {
    imports: ['app/context', 'app/mentions', 'state', 'composer', 'platform'],
    packages: [],
    node: true,
  },
  // The files that a prompt mentions.
  'app/mentions': { imports: ['composer', 'agent', 'platform'], packages: [], node: true },
  'app/turns': {
    imports: [
      'review',
      'hooks',
      'app/events',
      'app/context',
      'app/composer',
      'app/mentions',
      'turn',
      'state',
      'conversation',
      'composer',
      'agent',
      'checkpoints',
      'storage',
      'config',
      'platform',
    ],
    packages: [],
    node: true,
  },
  'app/permissions': {
    imports: [
      'app/events',
      'app/context',
      'app/mentions',
      'app/turns',
      'state',
      'conversation',
      'composer',
      'agent',
      'permissions',
      'platform',
    ],
    packages: [],
    node: true,
  },
  // What devices ask of a conversation. Loaded when a server connects.
  'app/outside': {
    imports: [
      'published',
      'published/answers',
      'app/events',
      'app/context',
      'app/composer',
      'app/turns',
      'app/permissions',
      'state',
      'conversation',
      'composer',
    ],
    packages: [],
    node: false,
  },
  'app/side': {
    imports: ['app/events', 'app/context', 'app/turns', 'app/permissions', 'state', 'conversation', 'agent'],
    packages: [],
    node: false,
  },
  'app/pickers': {
    imports: [
      'app/context',
      'app/pages',
      'app/composer',
      'app/turns',
      'state',
      'conversation',
      'composer',
      'agent',
      'storage',
      'platform',
    ],
    packages: [],
    node: true,
  },
  'app/settings': {
    imports: ['app/context', 'state', 'config', 'platform'],
    packages: [],
    node: false,
  },
  'app/worktrees': {
    imports: ['app/events', 'app/context', 'app/turns', 'worktrees', 'tools', 'config', 'platform'],
    packages: [],
    node: false,
  },
  'app/input': {
    imports: [
      'review',
      'app/events',
      'app/context',
      'app/composer',
      'app/turns',
      'app/permissions',
      'app/side',
      'app/pickers',
      'app/pages',
      'state',
      'conversation',
      'composer',
      'tools',
      'config',
      'platform',
    ],
    packages: [],
    node: true,
  },
  // The slash commands. The table of them is read without the program, too, so a command imports only types of `app`.
  commands: {
    imports: [
      'fleet',
      'published',
      'review',
      'race',
      'hooks',
      'app',
      'state',
      'conversation',
      'markdown',
      'permissions',
      'agent',
      'export',
      'changes',
      'checkpoints',
      'worktrees',
      'storage',
      'usage',
      'config',
      'platform',
    ],
    packages: [],
    node: true,
  },
  // The conversations of one zotui, each with a controller of its own.
  program: {
    imports: ['published', 'app', 'state', 'agent', 'storage', 'config', 'platform'],
    packages: [],
    node: true,
  },
  print: {
    imports: ['review', 'hooks', 'app', 'state', 'conversation', 'agent', 'storage'],
    packages: ['zod', 'ajv'],
    node: true,
  },

  // Plays a session on the screen.
  replay: {
    imports: ['app', 'conversation', 'agents', 'agent', 'storage', 'platform', 'text'],
    packages: [],
    node: false,
  },

  // Holds a conversation in the background.
  background: {
    imports: [
      'published',
      'published/answers',
      'published/socket',
      'print',
      'app',
      'turn',
      'state',
      'conversation',
      'agents',
      'agent',
      'storage',
      'platform',
    ],
    packages: ['zod'],
    node: true,
  },

  // Kept files, and the world outside.
  storage: { imports: ['platform'], packages: ['env-paths'], node: true },
  'storage/journal': { imports: ['storage', 'platform'], packages: ['zod'], node: true },
  'storage/sessions': {
    imports: ['agent', 'conversation', 'storage', 'platform'],
    packages: ['zod'],
    node: true,
  },
  'storage/usage': { imports: ['usage', 'agent', 'storage', 'platform'], packages: ['zod'], node: true },
  'storage/find': { imports: ['agent', 'conversation', 'storage', 'platform'], packages: ['zod'], node: true },
  // Marked places, in a file beside each session.
  'storage/marks': { imports: ['conversation', 'storage', 'platform'], packages: [], node: true },
  // The comments of the user, and the read marks, in a file beside each session.
  'storage/review': { imports: ['review', 'agent', 'storage', 'platform'], packages: ['zod'], node: true },
  import: { imports: ['agent', 'conversation', 'storage', 'platform'], packages: ['zod'], node: true },
  // Node is needed for a checksum only.
  export: {
    imports: ['agent', 'conversation', 'markdown', 'tools', 'usage', 'platform'],
    packages: ['zod'],
    node: true,
    pure: true,
  },
  changes: {
    imports: ['agent', 'conversation', 'tools', 'platform'],
    packages: ['diff', 'execa'],
    node: true,
  },
  // Tools that run here for an agent.
  'local-tools': { imports: ['agent', 'sandbox', 'platform'], packages: ['zod', 'diff', 'execa'], node: true },
  // Boxes of the system for commands.
  sandbox: { imports: ['agent', 'permissions', 'platform'], packages: ['execa', 'env-paths'], node: true },
  checkpoints: {
    imports: ['changes', 'tools', 'storage', 'platform', 'platform/remote'],
    packages: ['zod'],
    node: true,
  },
  worktrees: { imports: ['changes', 'tools', 'storage', 'platform'], packages: ['zod'], node: true },
  config: {
    imports: ['agent', 'composer', 'permissions', 'style', 'storage', 'platform'],
    packages: ['zod', 'env-paths', 'js-yaml', 'jsonc-parser'],
    node: true,
  },
  doctor: { imports: ['sandbox', 'platform'], packages: ['execa'], node: true },
  platform: { imports: [], packages: [], node: true },
  'platform/git': { imports: ['platform', 'platform/shell'], packages: [], node: true },
  'platform/shell': { imports: ['platform'], packages: ['execa'], node: true },
  'platform/clipboard': { imports: ['platform'], packages: ['execa'], node: true },
  'platform/images': { imports: ['platform'], packages: ['execa'], node: true },
  'platform/files': { imports: ['platform', 'platform/git'], packages: [], node: true },
  'platform/symbols': { imports: ['platform', 'platform/shell'], packages: ['execa'], node: true },
  'platform/remote': { imports: ['platform', 'platform/files', 'platform/shell'], packages: [], node: true },
}

/**
 * The pure files and folders of rooms that are not pure as a whole: what a page remembers, how it moves and what it shows stands beside
 * its component and its effects. Besides types they import nothing but pure code. So do the rows of the panels: `isOfPanel`.
 */
const pureParts = [
  ...['page-input', 'page-keys', 'page-rows', 'scroll', 'key-list', 'highlight', 'text-search'].map(
    name => `components/pages/${name}.ts`,
  ),
  ...['keys', 'state', 'moves', 'reading', 'rows'].flatMap(name =>
    ['transcript', 'diff', 'find', 'usage', 'serve', 'race'].map(page => `components/pages/${page}/${name}.ts`),
  ),
  ...['arriving', 'readable', 'search', 'session', 'task', 'walk', 'window'].map(
    name => `components/pages/transcript/${name}.ts`,
  ),
  'components/pages/transcript/document',
  'components/pages/race/entrant-words.ts',
  ...['race-words', 'race-steps', 'labels', 'estimate', 'turn-result'].map(name => `src/race/${name}.ts`),
  ...['excerpt', 'field', 'words-at'].map(name => `components/pages/find/${name}.ts`),
  ...[
    'diff-rows',
    'commented-files',
    'painted-diff',
    'cursor',
    'window',
    'facts',
    'list',
    'list-moves',
    'list-rows',
    'comments',
    'comment-facts',
    'comment-places',
    'comment-rows',
    'search',
    'searching',
    'seen',
    'tree',
    'load-next',
  ].map(name => `components/pages/diff/${name}.ts`),
  ...['digits', 'items', 'list-rows', 'ask-rows'].map(name => `components/pages/serve/${name}.ts`),
  ...['day-reader', 'figures'].map(name => `components/pages/usage/${name}.ts`),
  ...['state', 'moves', 'rows'].map(name => `components/pages/help/${name}.ts`),
  ...['regions', 'row-each', 'from-slice', 'layout', 'live-frame'].map(name => `components/${name}.ts`),
  ...['announcements', 'first-screen', 'screen', 'scrollback', 'shared', 'shown-again', 'title'].map(
    name => `components/screen/${name}.ts`,
  ),
]

/** Names that pure code must not even mention. */
const impure = new Set('process crypto performance setTimeout setInterval setImmediate fetch console'.split(' '))
const impureMembers = new Set(['Date.now', 'Math.random'])

/** Writes to standard output and error, and makes what it writes harmless. */
const WRITER = 'bin/standard-streams.ts'

/** The one way to read a file, which is never held up by what is none. */
const READER = 'src/platform/regular-file.ts'
/** Reads the shipped files, as `import` would. */
const LOADER = 'bin/boot/script-loader.ts'
/** Functions that read a file, or open one for that, without asking what it is. */
const reading = new Set('readFile readFileSync createReadStream open openSync openAsBlob'.split(' '))
/** Those open what they write, the terminal, or a namespace, which has no content. */
const writers = new Set([
  'src/sandbox/network/namespace.ts',
  'src/move/transfer.ts',
  'src/storage/jsonl-write.ts',
  'src/storage/sessions/claim.ts',
  'src/platform/held-folder.ts',
  'src/platform/project.ts',
  'src/platform/replace-content.ts',
  'src/platform/exchange-content.ts',
  'bin/wiring/recording.ts',
  'bin/cli/commands/doctor.ts',
])

/**
 * The files that start other programs. Each gives the path of one: its own from `findProgram` (src/platform/programs.ts), which passes over
 * those of the project, or one that the user named. With a bare name the system would take the first in PATH.
 */
const STARTERS = new Set([
  'src/agents/tool-host/process-table.ts',
  'src/agents/transport/process.ts',
  'src/agents/zot/guard/zotui-relay.ts',
  'src/agents/zot/program/models.ts',
  'src/changes/pull-request.ts',
  'src/changes/run-git.ts',
  'src/doctor/machine.ts',
  'src/places/run-engine.ts',
  'src/move/transfer.ts',
  'src/fleet/sources/host-source.ts',
  'src/platform/clipboard/clipboard-tools.ts',
  'src/platform/files/git.ts',
  'src/platform/remote/lane.ts',
  'src/platform/shell/ask-which-shell.ts',
  'src/platform/shell/foreground.ts',
  'src/platform/shell/run-program.ts',
  'src/platform/shell/run.ts',
  'src/platform/symbols/list-symbols.ts',
  'src/platform/watchdog.ts',
  'src/sandbox/box-maker.ts',
  'src/sandbox/network/namespace.ts',
  'bin/wiring/background/begin.ts',
  'bin/wiring/serve/start-server.ts',
  'bin/wiring/ui/update-notice.ts',
])
/** Functions that start the program in their first argument. All others of these modules run a line in a shell, or a module. */
const starting = new Set('spawn spawnSync execFile execFileSync execa'.split(' '))

/** Programs of their own: they speak through their standard streams, and import nothing of zotui. */
const GUARDS = ['src/agents/zot/guard/zotui-guard.ts', 'src/agents/zot/guard/zotui-relay.ts']

/** A program of its own that is made of parts of zotui: its standard output is its connection to zotui. */
const SPEAKERS = ['src/agents/remote-tools/zotui-tools.ts']

/**
 * The files that read the shape of a foreign value by hand, each for a reason; in all others a schema does that (`agent/schema-reader.ts`),
 * or `text/member.ts` for a single member.
 */
const SHAPES: ReadonlyMap<string, string> = new Map([
  ['src/text/json.ts', 'the two words that all others use'],
  ['src/text/json-kinds.ts', 'the kinds of the settings, which the first frame waits for'],
  ['src/storage/sessions/noted-facts.ts', 'the first frame waits for it'],
  [
    'src/agents/zot/decode.ts',
    'the first lines of zot, before a schema is made; proven equal in test/agents/wires.test.ts',
  ],
  ['src/agents/transport/json-rpc.ts', 'a message is a request, a notification or an answer by which members it has'],
  ['src/agents/zot/guard/requests.ts', 'names are folded as Go does'],
  ['src/agents/zot/guard/places.ts', 'whether a file has an object at all'],
  ['src/agents/zot/program/key-store.ts', 'the rest of the file is kept as it is'],
  ['src/agents/zot/program/credentials.ts', 'whether there is an object at all'],
  ['src/agents/acp/frame.ts', 'whether there is an object at all'],
  ['src/agents/acp/turn/call.ts', 'whether there are any arguments'],
  ['src/agents/acp/turn/command-in.ts', 'a text, words, or several texts'],
  ['src/agents/acp/session/permissions.ts', 'any of several names'],
  ['src/agents/roz/wire/struct.ts', 'writes any value'],
  ['src/agents/recording/record.ts', 'walks through any value'],
  ['src/config/files.ts', 'a settings file that is no object'],
  ['src/config/prompts/frontmatter.ts', 'all members, whatever their names'],
  ['src/config/typed.ts', 'our own values'],
  ['src/conversation/calls/trim-output.ts', 'shortens any value'],
  ['src/conversation/queries/loaded-skill.ts', 'there may be one member only'],
  ['src/import/zot-events.ts', 'walks through any value'],
  ['src/print/output-schema.ts', 'the schema of a user'],
  ['components/screen/shared.ts', 'compares any two values'],
  ['components/working/rows.ts', 'our own values'],
  ['src/tools/describe-request.ts', 'shows any value'],
  ['src/export/exact-lines.ts', 'shows any value'],
  ['src/review/findings/read-json.ts', 'a list of any of several shapes, with any of several names'],
  ['src/storage/sessions/secrets.ts', 'walks through any value'],
  ['src/tools/arguments.ts', 'all members, whatever their names'],
  ['src/tools/panel/yaml.ts', 'draws any value'],
  ['src/tools/summary.ts', 'walks through any value'],
  ['src/storage/find/texts.ts', 'walks through any value'],
])
/** It makes code of texts, as zod does: nothing else may. */
const CODE_MAKER = 'src/agent/schema-reader.ts'

const vagueNames = new Set(['utils', 'util', 'helpers', 'helper', 'types', 'common', 'misc', 'lib'])

/** A file's path from the root of the repository, with slashes, and its text. */
type Sources = ReadonlyMap<string, string>
type Names = { has(file: string): boolean }
type Node = { type: string; [field: string]: unknown }

describe('the house', () => {
  const sources = readSources()

  test('every file is in a folder that the table knows', () => {
    const unknown = [...sources.keys()].filter(file => !table[roomOf(file)])
    expect(unknown, 'Move these files, or give their folder a row in `table` in test/house.test.ts').toEqual([])
  })
  test('every import is one that the table allows', () => {
    expect(
      wrongImports(sources),
      'Move the code, or take what it needs as an argument; `table` in test/house.test.ts says who may import what',
    ).toEqual([])
  })
  test('files do not import each other in a circle', () => {
    expect(cycles(sources), 'Move what these files share to a file that imports none of them').toEqual([])
  })
  test('folders do not import each other in a circle, types included', () => {
    expect(roomCycles(sources), 'Move what these folders share to the lowest of them').toEqual([])
  })
  test('every row of the table names folders that have a row', () => {
    expect(wrongRules(), 'Correct these rows of `table` in test/house.test.ts; a row never names a file').toEqual([])
  })
  test('pure code has no clock, no chance and no process', () => {
    expect(
      impurities(sources),
      'These folders are pure in `table` in test/house.test.ts: take the value as an argument',
    ).toEqual([])
  })
  test('pure files of other folders import nothing but pure code, and exist', () => {
    expect(
      [...impureImports(sources), ...pureParts.filter(part => ![...sources.keys()].some(file => isIn(file, part)))],
      'Take what these need as an argument, or correct `pureParts` in test/house.test.ts',
    ).toEqual([])
  })
  test(`only ${WRITER} writes to standard output and standard error`, () => {
    expect(rawWrites(sources), `Use a function of ${WRITER}: it removes what could harm a terminal`).toEqual([])
  })
  test(`only ${READER} reads files`, () => {
    expect(rawReads(sources), `Use a function of ${READER}: a pipe or a device does not hold it up`).toEqual([])
  })
  test('no program is started by a bare name, nor in files that nobody looked at for that', () => {
    expect(
      bareStarts(sources),
      'Find the program with `findProgram` of src/platform/programs.ts, and list the file in STARTERS of test/house.test.ts',
    ).toEqual([])
  })
  test('the shape of a foreign value is read by a schema, but in files that say why', () => {
    expect(
      shapesByHand(sources),
      'Read it with `createReader` of src/agent/schema-reader.ts, or give the file and its reason to SHAPES in test/house.test.ts',
    ).toEqual([])
  })
  test(`only ${CODE_MAKER} makes code of texts`, () => {
    expect(codeMakers(sources), 'Write the code').toEqual([])
  })
  test('git is started with the settings that keep it from starting programs', () => {
    expect(
      loneGits(sources),
      'Give git the environment of `ownGitEnvironment`, or in a script `ownGitLines`, of src/platform/git/switches.ts',
    ).toEqual([])
  })
  test('an exception is made only for files that need it', () => {
    expect(
      idleExceptions(sources),
      'Take these files off these lists of test/house.test.ts: a new file of that name would be excepted, too',
    ).toEqual([])
  })
  test.each(GUARDS)('%s imports modules of Node only', file => {
    const imported = importsOf(file, sources.get(file) ?? '').map(({ name }) => name ?? '')
    const wrong = imported.filter(name => !name.startsWith('node:'))
    expect(wrong, `${file} runs as a program of its own: write what it needs in it`).toEqual([])
  })
  test('no file only passes on what others export, and none is called index', () => {
    expect(barrels(sources), 'Import from the file that has the code, and name a file by its content').toEqual([])
  })
  test('no file or folder has a name that fits anything', () => {
    expect(vague(sources), `Name these by their content, not ${[...vagueNames].join(', ')}`).toEqual([])
  })
  test('no text names a key that the user may have bound to something else', () => {
    expect(
      fixedKeys(sources),
      'Write the action, as in `{composer.stop} stops`, and fill it with `keyed` of src/text/key-hints.ts',
    ).toEqual([])
  })
  test('every action that a text names in braces is in the keymap, and its usual key is bound to it', () => {
    expect(
      unknownGaps(sources),
      'Correct the name or the key after src/state/keymap.ts, or the keys.ts of the page',
    ).toEqual([])
  })
  test('the host of the agents names none of them', () => {
    expect(namedAgents(sources), 'Put what one agent needs into its folder: see `Driver` in host/driver.ts').toEqual([])
  })
  test('no two files declare a type of the same name', () => {
    expect(repeatedTypes(sources), 'Rename one of each, or import it from the other file').toEqual([])
  })
})

const of = (files: Record<string, string>): Sources => new Map(Object.entries(files))

describe('the check of the house finds', () => {
  test.each([
    ['a folder above', { 'src/conversation/a.ts': `import { x } from '../app/b.ts'` }, 'app'],
    ['a type', { 'src/conversation/a.ts': `import type { X } from '../agents/zot/b.ts'` }, 'agents/zot'],
    ['a type written in place', { 'src/conversation/a.ts': `type X = import('../agents/zot/b.ts').X` }, 'agents/zot'],
    ['what is passed on', { 'src/app/a.ts': `export * from '../terminal/b.ts'` }, 'terminal'],
    ['what is loaded late', { 'src/print/a.ts': `await import('../../components/App.tsx')` }, 'components'],
    ['a name computed', { 'src/app/a.ts': 'await import(`../${x}.ts`)' }, 'must be written out'],
    ['Node in a component', { 'components/A.tsx': `import fs from 'node:fs'` }, 'node:fs'],
    ['Node without its prefix', { 'src/app/a.ts': `import fs from 'fs'` }, 'node:'],
    ['a package', { 'src/app/a.ts': `import { Box } from 'ink'` }, 'ink'],
    ['a part of a package', { 'src/app/a.ts': `import x from 'react/jsx-runtime'` }, 'react'],
    ['an inner room', { 'src/app/turns/a.ts': `import x from '../pickers/b.ts'` }, 'app/pickers'],
    ['the room around it', { 'src/app/turns/a.ts': `import x from '../controller.ts'` }, 'app/controller'],
    ['a way out', { 'src/app/a.ts': `import x from '../../scripts/build.ts'` }, 'scripts'],
  ])('%s', (_name, files, words) => {
    expect(wrongImports(of(files)).join('\n')).toContain(words)
  })

  test('no violation in allowed imports, comments and strings', () => {
    const files = {
      'components/App.tsx': `import { Box } from 'ink'; import { s } from '../src/state/app-store.ts'; export const A = () => <Box/>`,
      'components/composer/a.ts': `import type { S } from '../../src/state/state.ts'; import { w } from '../../src/text/width.ts'`,
      'src/app/a.ts': `// import x from 'ink'\nconst s = "import('../agents/zot/a.ts')"`,
    }
    expect(wrongImports(of(files))).toEqual([])
  })

  test.each([
    ["const a = 'Enter sends'", 'Enter sends'],
    ['const a = `${b}: Ctrl+O shows all`', ': Ctrl+O shows all'],
    ["const a = 't turns   q back'", 't turns   q back'],
  ])('a fixed key in %s', (code, text) => {
    expect(fixedKeys(of({ 'components/composer/a.ts': code }))).toEqual([`components/composer/a.ts: ${text}`])
  })

  test('no fixed key in gaps, names of keys and other words', () => {
    const code = "const a = ['{composer.submit} sends', 'escape', 'The end of the turn']"
    expect(fixedKeys(of({ 'components/composer/a.ts': code }))).toEqual([])
  })

  test('an agent that the host names', () => {
    const files = {
      'src/agents/zot/driver.ts': 'export const a = 1',
      'src/agents/host/a.ts': "// zotui, as zot does\nif (name === 'codex') stop()",
    }
    expect(namedAgents(of(files))).toEqual(['src/agents/host/a.ts: zot', 'src/agents/host/a.ts: codex'])
  })

  test.each(['{composer.sumbit}', '{viewer.leave tab}'])('the unknown gap %s', gap => {
    expect(unknownGaps(of({ 'components/composer/a.ts': `const a = '${gap} sends'` }))).toEqual([
      `components/composer/a.ts: ${gap}`,
    ])
  })

  test('circular imports, of types too', () => {
    const files = {
      'src/conversation/a.ts': `import './b.ts'`,
      'src/conversation/b.ts': `export { x } from './c.ts'; import type { D } from './d.ts'`,
      'src/conversation/c.ts': `import('./a.ts')`,
      'src/conversation/d.ts': `import './a.ts'`,
    }
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(name => `src/conversation/${name}.ts`)
    expect(cycles(of(files))).toEqual([`${a} -> ${b} -> ${c} -> ${a}`, `${a} -> ${b} -> ${d} -> ${a}`])
  })

  test('import cycles between folders, including imports of types', () => {
    const files = {
      'src/tools/a.ts': `import type { A } from '../style/a.ts'`,
      'src/style/a.ts': `import type { B } from '../tools/b.ts'`,
    }
    expect(roomCycles(of(files))).toEqual(['tools -> style -> tools'])
  })

  test.each([
    ['Date.now()', 'Date.now'],
    ['Math.random()', 'Math.random'],
    ['new Date()', 'new Date()'],
    ['performance.now()', 'performance'],
    ['process.env', 'process'],
    ['setTimeout(f, 1)', 'setTimeout'],
  ])('the impurity of %s', (code, words) => {
    expect(impurities(of({ 'src/conversation/a.ts': `export const x = () => ${code}` }))).toEqual([
      `src/conversation/a.ts: ${words}`,
    ])
    expect(impurities(of({ 'src/terminal/a.ts': `export const x = () => ${code}` }))).toEqual([])
    const [part = ''] = pureParts
    expect(impurities(of({ [part]: `export const x = () => ${code}` }))).toEqual([`${part}: ${words}`])
  })

  test.each(['react', 'node:path', '../../src/app/controller.ts', './transcript/TranscriptPage.tsx'])(
    'an import of %s in a pure file of another folder',
    name => {
      const [part = ''] = pureParts
      expect(impureImports(of({ 'components/queue/rows.ts': `import x from '${name}'` }))).toHaveLength(1)
      expect(impureImports(of({ [part]: `import x from '${name}'` }))).toEqual([`${part}: ${name}`])
      expect(impureImports(of({ [part]: `import x from '../../src/state/state.ts'` }))).toEqual([])
      expect(impureImports(of({ [part]: `import type { X } from '${name}'` }))).toEqual([])
    },
  )

  test('no impurity in code that only looks impure', () => {
    const code = `export const f = (at, t) => [new Date(at), t.process, { process: 1 }, t.setTimeout(), 'Date.now()']`
    expect(impurities(of({ 'src/conversation/a.ts': code }))).toEqual([])
  })

  test.each([
    ["import process from 'node:process'; process.stdout.write('x')", 'process.stdout'],
    ["process['stderr'].write('x')", 'process.stderr'],
    ['process.stderr[name](x)', 'process.stderr'],
    ['const { env, stderr } = process', 'process.stderr'],
    ['const { stdout: out = null } = process', 'process.stdout'],
    ["import { stdout } from 'node:process'", 'process.stdout'],
    ['pipe.pipe(process.stdout)', 'process.stdout'],
    ["console.error('x')", 'console'],
    ["writeSync(2, 'x')", 'writeSync'],
    ["fs.writeFileSync(1, 'x')", 'writeFileSync'],
    ['process._rawDebug(x)', 'process._rawDebug'],
    ['process.emitWarning(x)', 'process.emitWarning'],
  ])('a write past the one file: %s', (code, words) => {
    expect(rawWrites(of({ 'bin/a.ts': code }))).toEqual([`bin/a.ts: ${words}`])
    expect(rawWrites(of({ 'bin/standard-streams.ts': code }))).toEqual([])
  })

  test('no write in a query of a stream, in the streams of a child process, or in opening a terminal', () => {
    const asks = `const wide = process.stdout.isTTY ? process.stdout.columns : 80; process.stdout.on('error', f)`
    expect(rawWrites(of({ 'bin/a.ts': `${asks}; child.stdout.on('data', f); writeSync(file, 'x')` }))).toEqual([])
    expect(rawWrites(of({ 'bin/wiring/ui/create-ui.ts': 'openTerminal(process.stdin, process.stdout)' }))).toEqual([])
    expect(rawWrites(of({ 'bin/wiring/ui/create-ui.ts': 'process.stdout.write(x)' }))).toEqual([
      'bin/wiring/ui/create-ui.ts: process.stdout',
    ])
  })

  test.each([
    [`import { readFileSync } from 'node:fs'`, 'readFileSync'],
    [`import { readFile as read } from 'node:fs/promises'`, 'readFile'],
    [`import { openSync } from 'node:fs'`, 'openSync'],
    [`import fs from 'node:fs'`, 'all of node:fs'],
    [`import * as fs from 'node:fs/promises'`, 'all of node:fs/promises'],
    [`const fs = await import('node:fs')`, 'all of node:fs'],
  ])('a raw read: %s', (code, words) => {
    expect(rawReads(of({ 'src/app/a.ts': code }))).toEqual([`src/app/a.ts: ${words}`])
    expect(rawReads(of({ [READER]: code }))).toEqual([])
  })

  test.each([
    "if (typeof value === 'object' && value !== null) go()",
    "export const is = 'object' !== typeof value.member",
    "import { isObject } from '../text/json.ts'",
    "import { isContainer as has } from '../text/json.ts'",
  ])('a shape that is read by hand in %s', code => {
    expect(shapesByHand(of({ 'src/app/a.ts': code }))).toEqual(['src/app/a.ts'])
    expect(shapesByHand(of({ 'src/text/json.ts': code }))).toEqual([])
  })

  test('no shape that is read by hand in other questions about types', () => {
    const code = `import { parseJson } from '../text/json.ts'; const isObject = typeof parseJson === 'function' // typeof a === 'object'`
    expect(shapesByHand(of({ 'src/app/a.ts': code }))).toEqual([])
  })

  test('an exception for a file that is gone, or does not need it', () => {
    const starts = `import { spawn } from 'node:child_process'; spawn(program, words)`
    const idle = idleExceptions(of({ 'src/changes/run-git.ts': starts, 'src/platform/watchdog.ts': '' }))
    expect(idle).not.toContain('STARTERS: src/changes/run-git.ts')
    expect(idle).toContain('STARTERS: src/platform/watchdog.ts')
    expect(idle).toContain(`the files by name: ${READER}`)
  })

  test.each(["new Function('return 1')", "Function('return 1')()", "eval('1')"])('code made of a text in %s', code => {
    expect(codeMakers(of({ 'src/app/a.ts': code }))).toEqual(['src/app/a.ts'])
    expect(codeMakers(of({ [CODE_MAKER]: code }))).toEqual([])
  })

  test('no raw read in code that only writes or asks', () => {
    const code = `import { writeFileSync, statSync } from 'node:fs'; import type { Stats } from 'node:fs'`
    expect(rawReads(of({ 'src/app/a.ts': code }))).toEqual([])
    const opening = `import { openSync } from 'node:fs'`
    expect(rawReads(of({ 'bin/wiring/recording.ts': opening }))).toEqual([])
  })

  test.each([
    [`import { spawn } from 'node:child_process'; spawn('git', [])`, "spawn('git')"],
    [`import { execFile as run } from 'node:child_process'; run('ps')`, "execFile('ps')"],
    ["import { execa } from 'execa'; await execa(`tmux`)", "execa('tmux')"],
    ["import { execa } from 'execa'; await execa(`${name}/git`)", "execa('')"],
    [`import { execa } from 'execa'; await execa('./git')`, "execa('./git')"],
    [`import { exec } from 'node:child_process'`, 'exec'],
    [`import { fork } from 'node:child_process'`, 'fork'],
    [`import { $ } from 'execa'`, '$'],
    [`import cp from 'node:child_process'`, 'all of node:child_process'],
    [`import * as cp from 'node:child_process'`, 'all of node:child_process'],
    [`const cp = await import('node:child_process')`, 'all of node:child_process'],
  ])('a program that is started by its bare name: %s', (code, words) => {
    expect(bareStarts(of({ 'src/platform/watchdog.ts': code }))).toEqual([`src/platform/watchdog.ts: ${words}`])
  })

  test.each([
    ['src/app/a.ts', `const git = findProgram('git', env, folder)`],
    ['src/app/a.ts', "const command = ['git', 'status']"],
    ['src/platform/remote/a.ts', 'const script = `b=$(git symbolic-ref HEAD)`'],
    ['src/platform/remote/a.ts', "const script = 'cd x; git status'"],
    ['src/checkpoints/a.ts', "const script = 'f() { git cat-file x; }'"],
  ])('a git without its settings in %s: %s', (file, code) => {
    expect(loneGits(of({ [file]: code }))).toEqual([file])
    const held = `import { ownGitEnvironment } from '../platform/git/switches.ts'\n${code}`
    expect(loneGits(of({ [file]: held }))).toEqual([])
  })

  test('a file that starts programs and is not listed for it', () => {
    const code = `import { spawn } from 'node:child_process'; spawn(process.execPath)`
    expect(bareStarts(of({ 'src/app/a.ts': code }))).toEqual(['src/app/a.ts: it starts programs'])
  })

  test('no bare name in paths, types and variables', () => {
    const code = `import { spawn, type ChildProcess } from 'node:child_process'; spawn('/bin/sh', []); spawn(file, ['git'])`
    expect(bareStarts(of({ 'src/platform/watchdog.ts': code }))).toEqual([])
    expect(bareStarts(of({ 'src/app/a.ts': `import type { ChildProcess } from 'node:child_process'` }))).toEqual([])
  })

  test('type names of two files', () => {
    const files = {
      'src/conversation/a.ts': `export type Page = string; type Props = 1; function f() { type Own = 1 }`,
      'src/conversation/b.ts': `interface Page {}; type Props = 2; function f() { type Own = 2 }`,
      'src/conversation/c.ts': `export class Row {}; import type { Page } from './a.ts'`,
      'src/conversation/d.ts': `const Row = 1; const f = <Page>(page: Page) => page`,
    }
    expect(repeatedTypes(of(files))).toEqual(['Page: src/conversation/a.ts, src/conversation/b.ts'])
  })

  test('barrels and vague names', () => {
    expect(barrels(of({ 'src/conversation/index.ts': 'export const x = 1' }))).toEqual(['src/conversation/index.ts'])
    expect(barrels(of({ 'src/conversation/all.ts': `export * from './a.ts'` }))).toEqual(['src/conversation/all.ts'])
    expect(vague(of({ 'src/utils/a.ts': '', 'src/conversation/types/a.ts': '', 'src/conversation/a.ts': '' }))).toEqual(
      ['src/utils/a.ts', 'src/conversation/types/a.ts'],
    )
  })
})

function readSources(folders = ['bin', 'src', 'components']): Sources {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = folders.flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.[cm]?[jt]sx?$/.test(name))
      .map(name => path.join(folder, name)),
  )
  return new Map(files.map(file => [file.replaceAll(path.sep, '/'), readFileSync(path.join(root, file), 'utf8')]))
}

/** The innermost room: `src/agents/zot/startup/startup-places.ts` is in `agents/zot`, `src/client.ts` in `client`. */
function roomOf(file: string): string {
  const parts = withoutExtension(file.replace(/^src\//, '')).split('/')
  for (let length = parts.length; length > 1; length -= 1) {
    const room = parts.slice(0, length).join('/')
    if (table[room]) return room
  }
  return parts[0] ?? ''
}

const withoutExtension = (file: string) => file.replace(/\.[cm]?[jt]sx?$/, '')

function wrongImports(files: Sources): string[] {
  const wrong: string[] = []
  for (const [file, text] of files) {
    const unit = roomOf(file)
    const rule = table[unit] ?? { imports: [], packages: [], node: false }
    for (const { name } of importsOf(file, text)) {
      const reason = complaint(file, unit, rule, name)
      if (reason) wrong.push(`${file}: ${reason}`)
    }
  }
  return wrong
}

function complaint(file: string, unit: string, rule: Rule, name: string | null): string | null {
  if (name === null) return 'the name of an import must be written out, so that this test can read it'
  if (isBuiltin(name)) {
    if (!rule.node) return `${unit} may not import ${name}`
    return name.startsWith('node:') ? null : `write node:${name} instead of ${name}`
  }
  if (!name.startsWith('.')) {
    const [first = '', second = ''] = name.split('/')
    const known = first.startsWith('@') ? `${first}/${second}` : first
    return rule.packages.includes(known) ? null : `${unit} may not import the package ${known}`
  }
  const target = path.posix.join(path.posix.dirname(file), name)
  const other = roomOf(target)
  if (other === unit || other === 'text') return null
  const inside = /^(?:src|components|bin|themes)\//.test(target)
  const allowed = inside && rule.imports.some(room => other === room || other.startsWith(`${room}/`))
  return allowed ? null : `${unit} may not import ${withoutExtension(target.replace(/^src\//, ''))}`
}

function cycles(files: Sources): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]) => {
    const before = trail.indexOf(file)
    if (before !== -1) {
      found.push([...trail.slice(before), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const { name } of importsOf(file, files.get(file) ?? '')) {
      const target = name?.startsWith('.') === true ? path.posix.join(path.posix.dirname(file), name) : ''
      if (files.has(target)) visit(target, [...trail, file])
    }
    done.add(file)
  }
  for (const file of files.keys()) visit(file, [])
  return found
}

/** The first circle that each room begins, types included. */
function roomCycles(files: Sources): string[] {
  const arrows = new Map<string, Set<string>>()
  for (const [file, text] of files) {
    const from = roomOf(file)
    for (const { name } of importsOf(file, text)) {
      if (!name?.startsWith('.')) continue
      const to = roomOf(path.posix.join(path.posix.dirname(file), name))
      if (to !== from) arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
    }
  }
  const found: string[] = []
  const done = new Set<string>()
  const visit = (room: string, trail: readonly string[]): void => {
    const before = trail.indexOf(room)
    if (before !== -1) return void found.push([...trail.slice(before), room].join(' -> '))
    if (done.has(room)) return
    for (const next of arrows.get(room) ?? []) visit(next, [...trail, room])
    done.add(room)
  }
  for (const room of arrows.keys()) visit(room, [])
  return found
}

function wrongRules(): string[] {
  const rooms = new Set([...Object.keys(table), 'themes'])
  return Object.entries(table).flatMap(([room, { imports }]) =>
    imports.filter(name => !rooms.has(name)).map(name => `${room}: ${name} has no row`),
  )
}

function impurities(files: Sources): string[] {
  const found: string[] = []
  for (const [file, text] of files) {
    if (!isPure(file)) continue
    walk(parse(file, text), (node, parent, field) => {
      const what = impurity(node, parent, field)
      if (what) found.push(`${file}: ${what}`)
    })
  }
  return found
}

const isIn = (file: string, part: string): boolean => file === part || file.startsWith(`${part}/`)

/** All in the folder of a panel, such as `components/queue/rows.ts`. */
const isOfPanel = (file: string): boolean => /^components\/(?!pages\/|screen\/)[^/]+\/[^/]+\.ts$/.test(file)

const isPurePart = (file: string): boolean => isOfPanel(file) || pureParts.some(part => isIn(file, part))

const isPure = (file: string): boolean => table[roomOf(file)]?.pure === true || isPurePart(file)

/** The imports of pure files of other rooms that are not pure. */
function impureImports(files: Sources): string[] {
  return [...files].flatMap(([file, text]) => {
    if (!isPurePart(file)) return []
    return importsOf(file, text).flatMap(({ name, isType }) => {
      if (isType) return []
      const target = name?.startsWith('.') === true ? path.posix.join(path.posix.dirname(file), name) : null
      return target !== null && isPure(target) ? [] : [`${file}: ${name}`]
    })
  })
}

function impurity(node: Node, parent: Node | undefined, field: string): string | null {
  if (node.type === 'NewExpression' && nameOf(node['callee']) === 'Date' && isEmpty(node['arguments'])) {
    return 'new Date()'
  }
  if (node.type === 'MemberExpression') {
    const member = `${nameOf(node['object'])}.${nameOf(node['property'])}`
    return impureMembers.has(member) ? member : null
  }
  const name = nameOf(node)
  if (!impure.has(name)) return null
  // A field or a property that happens to be called so is not the global.
  const isName = ['property', 'key'].includes(field) && parent?.['computed'] !== true
  const isUse = ['MemberExpression', 'CallExpression', 'NewExpression'].includes(parent?.type ?? '')
  return isUse && !isName ? name : null
}

/** Says which Node is needed, on one that may not be able to load anything. */
const ENTRY = 'bin/zotui.ts'
/** These hand the stream on: to the facade that draws frames of safe text, and to the watchdog. */
const handOn = new Set([
  'bin/wiring/board/open-board-screen.ts',
  'bin/boot/first-frame.ts',
  'bin/wiring/ui/create-ui.ts',
  'bin/cli/commands/doctor.ts',
  'bin/cli/print-help.ts',
  'bin/cli/run-command.ts',
  'bin/main.ts',
  'src/platform/watchdog.ts',
])

const standardStreams = new Set(['stdout', 'stderr'])
const writingMembers = new Set(['_rawDebug', 'emitWarning'])
/** Members of a stream that may be asked, and events that may be heard. */
const harmlessMembers = new Set(['isTTY', 'columns', 'rows', 'on'])

function rawWrites(files: Sources, excepted: Names = handOn): string[] {
  const found: string[] = []
  for (const [file, text] of files) {
    if (file === WRITER || file === ENTRY || GUARDS.includes(file) || SPEAKERS.includes(file)) continue
    walk(parse(file, text), (node, parent, field) => {
      const what = rawWrite(node, parent, field, excepted.has(file))
      if (what) found.push(`${file}: ${what}`)
    })
  }
  return found
}

/** The files that start git, or write a script that does, without the settings for it. */
function loneGits(files: Sources): string[] {
  return [...files].flatMap(([file, text]) => {
    const program = parse(file, text)
    let starts = false
    let isHeld = false
    walk(program, node => {
      if (node.type === 'ImportSpecifier') isHeld ||= /^ownGit(?:Environment|Lines)$/.test(nameOf(node['imported']))
      const words = node.type === 'CallExpression' ? node['arguments'] : node['elements']
      const [first] = Array.isArray(words) ? words : []
      const isFound = node.type === 'ArrayExpression' || /^(?:find|search)Program$/.test(nameOf(node['callee']))
      if (isFound && isNode(first) && startOf(first) === 'git') starts = true
      const script = node.type === 'TemplateElement' ? (node['value'] as { raw: string }).raw : node['value']
      const isScript = /^src\/(?:platform\/remote|checkpoints)\//.test(file) && typeof script === 'string'
      if (isScript && /^git (?:-|[a-z]+-[a-z])|(?:[({;&|]|\\n) *git [a-z-]/.test(script)) starts = true
    })
    return starts && !isHeld ? [file] : []
  })
}

function bareStarts(files: Sources, excepted: Names = STARTERS): string[] {
  return [...files].flatMap(([file, text]) => {
    const program = parse(file, text)
    /** The functions that start programs, by their names in this file. */
    const starters = new Map<string, string>()
    const found: string[] = []
    walk(program, node => {
      const { source, specifiers } = node
      const isImport = node.type === 'ImportDeclaration' || node.type === 'ImportExpression'
      const from = isNode(source) ? String(source['value']) : ''
      if (!isImport || node['importKind'] === 'type' || !/^(?:node:child_process|execa)$/.test(from)) return
      for (const part of Array.isArray(specifiers) ? specifiers.filter(isNode) : [node]) {
        const name = nameOf(part['imported'])
        if (part['importKind'] === 'type') continue
        if (name === '') found.push(`all of ${from}`)
        else if (starting.has(name)) starters.set(nameOf(part['local']), name)
        else found.push(name)
      }
    })
    if (starters.size > 0 && !excepted.has(file)) found.push('it starts programs')
    walk(program, node => {
      const name = node.type === 'CallExpression' ? starters.get(nameOf(node['callee'])) : undefined
      const [first] = name !== undefined && Array.isArray(node['arguments']) ? node['arguments'] : []
      const started = isNode(first) ? startOf(first) : null
      if (started !== null && !started.startsWith('/')) found.push(`${name}('${started}')`)
    })
    return found.map(each => `${file}: ${each}`)
  })
}

/** The beginning of a text that is written out; null for anything else. */
function startOf(node: Node): string | null {
  if (node.type === 'Literal') return String(node['value'])
  const [first] = node.type === 'TemplateLiteral' && Array.isArray(node['quasis']) ? node['quasis'] : []
  return isNode(first) ? String((first['value'] as { cooked?: unknown }).cooked) : null
}

/** Files that ask whether a value is an object, or import the words for that, and are not listed. */
function shapesByHand(files: Sources, excepted: Names = SHAPES): string[] {
  const read = [...files].filter(([file]) => !excepted.has(file) && !GUARDS.includes(file))
  return read.flatMap(([file, text]) => {
    let isByHand = false
    walk(parse(file, text), node => {
      const { type, source, specifiers } = node
      if (type === 'BinaryExpression') {
        const sides = [node['left'], node['right']].filter(isNode)
        isByHand ||=
          sides.some(({ operator }) => operator === 'typeof') && sides.some(({ value }) => value === 'object')
      }
      if (type !== 'ImportDeclaration' || !isNode(source) || !String(source['value']).endsWith('text/json.ts')) return
      const parts = Array.isArray(specifiers) ? specifiers.filter(isNode) : []
      isByHand ||= parts.some(part => ['isObject', 'isContainer'].includes(nameOf(part['imported']) ?? ''))
    })
    return isByHand ? [file] : []
  })
}

/** The files that a list excepts from a rule that they keep, or that are gone: each with the name of its list. */
function idleExceptions(files: Sources): string[] {
  const none = new Set<string>()
  const lists: Record<string, [Iterable<string>, readonly string[]]> = {
    writers: [writers, rawReads(files, none)],
    STARTERS: [STARTERS, bareStarts(files, none)],
    SHAPES: [SHAPES.keys(), shapesByHand(files, none)],
    handOn: [handOn, rawWrites(files, none)],
    'the files by name': [[WRITER, ENTRY, READER, LOADER, CODE_MAKER, ...GUARDS, ...SPEAKERS], [...files.keys()]],
  }
  return Object.entries(lists).flatMap(([name, [listed, found]]) => {
    const needed = new Set(found.map(each => each.replace(/: .*/s, '')))
    return [...listed].filter(file => !needed.has(file)).map(file => `${name}: ${file}`)
  })
}

function codeMakers(files: Sources): string[] {
  const read = [...files].filter(([file]) => file !== CODE_MAKER)
  return read.flatMap(([file, text]) => {
    let isMaker = false
    walk(parse(file, text), ({ type, callee }) => {
      const isCall = type === 'CallExpression' || type === 'NewExpression'
      isMaker ||= isCall && ['Function', 'eval'].includes(nameOf(callee) ?? '')
    })
    return isMaker ? [file] : []
  })
}

function rawReads(files: Sources, excepted: Names = writers): string[] {
  const found: string[] = []
  for (const [file, text] of files) {
    if (file === READER || file === LOADER || GUARDS.includes(file)) continue
    walk(parse(file, text), node => {
      const { source, specifiers } = node
      const isImport = node.type === 'ImportDeclaration' || node.type === 'ImportExpression'
      if (!isImport || !isNode(source) || !/^node:fs(?:\/promises)?$/.test(String(source['value']))) return
      const parts = Array.isArray(specifiers) ? specifiers.filter(isNode) : [node]
      for (const part of parts) {
        const name = nameOf(part['imported'])
        if (name === '') found.push(`${file}: all of ${String(source['value'])}`)
        else if (reading.has(name) && !(name === 'openSync' && excepted.has(file))) found.push(`${file}: ${name}`)
      }
    })
  }
  return found
}

function rawWrite(node: Node, parent: Node | undefined, field: string, handsOn: boolean): string | null {
  if (node.type === 'MemberExpression') {
    const [object, member] = [nameOf(node['object']), propertyOf(node)]
    if (object === 'console') return 'console'
    if (object !== 'process') return null
    if (writingMembers.has(member)) return `process.${member}`
    if (!standardStreams.has(member)) return null
    const isAsked = parent?.type === 'MemberExpression' && field === 'object'
    if (isAsked ? harmlessMembers.has(propertyOf(parent)) : handsOn) return null
    return `process.${member}`
  }
  if (node.type === 'CallExpression') {
    const { callee } = node
    const name = nameOf(callee) || (isNode(callee) && callee.type === 'MemberExpression' ? propertyOf(callee) : '')
    const [first] = Array.isArray(node['arguments']) ? (node['arguments'] as unknown[]) : []
    const isStandard = isNode(first) && first.type === 'Literal' && (first['value'] === 1 || first['value'] === 2)
    return /^(?:write|append)\w*$/.test(name) && isStandard ? name : null
  }
  if (node.type === 'VariableDeclarator' && nameOf(node['init']) === 'process' && isNode(node['id'])) {
    const properties = Array.isArray(node['id']['properties']) ? node['id']['properties'].filter(isNode) : []
    const taken = properties.map(property => nameOf(property['key'])).find(name => standardStreams.has(name))
    return taken === undefined || handsOn ? null : `process.${taken}`
  }
  if (node.type === 'ImportSpecifier' && parent?.type === 'ImportDeclaration' && isNode(parent['source'])) {
    const isProcess = /^(?:node:)?process$/.test(String(parent['source']['value']))
    const name = nameOf(node['imported'])
    return isProcess && standardStreams.has(name) ? `process.${name}` : null
  }
  return null
}

/** The member's name, where it is written down. */
function propertyOf({ property, computed }: Node): string {
  if (computed !== true) return nameOf(property)
  return isNode(property) && property.type === 'Literal' ? String(property['value']) : ''
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const nameOf = (node: unknown): string => (isNode(node) && node.type === 'Identifier' ? String(node['name']) : '')

/** The face that the package shows to others. */
const FACE = 'src/client.ts'

/** The table of the agents, which makes one and passes nothing on. */
const AGENT_TABLE = 'src/agents/index.ts'

function barrels(files: Sources): string[] {
  return [...files].flatMap(([file, text]) => {
    if (file === FACE) return []
    const { body } = parse(file, text)
    const statements = Array.isArray(body) ? body.filter(isNode) : []
    const passesOnOnly =
      statements.length > 0 &&
      statements.every(({ type, source }) => /^Export(?:All|Named)/.test(type) && isNode(source))
    const isIndex = path.posix.basename(withoutExtension(file)) === 'index' && file !== AGENT_TABLE
    return passesOnOnly || isIndex ? [file] : []
  })
}

/** Types, interfaces and classes that two files declare at their top. `Props` is every component's own. */
function repeatedTypes(files: Sources): string[] {
  const places = new Map<string, string[]>()
  for (const [file, text] of files) {
    const { body } = parse(file, text)
    for (const statement of Array.isArray(body) ? body.filter(isNode) : []) {
      const { declaration } = statement
      const { type, id } = isNode(declaration) ? declaration : statement
      if (!/^(?:TSTypeAlias|TSInterface|Class)Declaration$/.test(type) || nameOf(id) === 'Props') continue
      places.set(nameOf(id), [...(places.get(nameOf(id)) ?? []), file])
    }
  }
  return [...places].flatMap(([name, found]) => (found.length > 1 ? [`${name}: ${found.join(', ')}`] : []))
}

function vague(files: Sources): string[] {
  return [...files.keys()].filter(file =>
    withoutExtension(file)
      .split('/')
      .some(part => vagueNames.has(part)),
  )
}

const HOST = 'src/agents/host/'

/** Agents that the host names, in code or in comments: those with a folder of their own, and those of the table of names. */
function namedAgents(files: Sources): string[] {
  const folders = [...files.keys()].flatMap(file => /^src\/agents\/(?!host\/)(\w+)\/driver\.ts$/.exec(file)?.[1] ?? [])
  const names = ['demo', ...folders, ...knownAgents.map(({ name }) => name)]
  const naming = new RegExp(`\\b(?:${names.join('|')})\\b`, 'gi')
  return [...files].flatMap(([file, text]) =>
    file.startsWith(HOST) ? [...text.matchAll(naming)].map(([name]) => `${file}: ${name}`) : [],
  )
}

/** Rooms whose texts name keys in the words of the keymap. */
const HINTING = /^(?:components|src\/(?:app|state|tools|transcript|style))\//
/** These files name keys that no `keys.json` can change: the keymap with its help, a replay's keys, a list's letters. */
const NAMES_KEYS: ReadonlyMap<string, RegExp> = new Map([
  ['src/state/keymap.ts', /./],
  ['components/header/rows.ts', /^(?:Space pauses|q leaves|Right: one step|End to the end|\/ commands|\? all keys)$/],
  ['src/app/input/stopping.ts', /\? shows all keys/],
  ['components/picker/conversations.ts', /^[ynrseb] /],
  ['components/picker/running.ts', /^s stops$/],
  ['components/picker/tree.ts', /^g (?:goes on from there|asks again)$/],
])
const KEY_WORD =
  /(?:^|[\s(,:;])(?:Enter|Esc|Escape|Tab|Space|Backspace|PageUp|PageDown|Home|End|Up|Down|Left|Right|(?:Ctrl|Alt|Shift)\+\S+)(?=$|[\s,.:;)])|(?:^| {3})[b-z?/] [a-z]{3,}/

/** Texts that name a key as if nobody could bind it to something else. */
function fixedKeys(files: Sources): string[] {
  return textsIn(files)
    .filter(([file, text]) => HINTING.test(file) && KEY_WORD.test(text) && NAMES_KEYS.get(file)?.test(text) !== true)
    .map(([file, text]) => `${file}: ${text}`)
}

function unknownGaps(files: Sources): string[] {
  return textsIn(files).flatMap(([file, text]) =>
    [...text.matchAll(/\{(\w+\.\w+)(?: (\S+))?\}/g)].flatMap(([gap, action = '', usual]) => {
      const keys = fullKeymap.names.get(action)
      const isKnown = keys !== undefined && keys.length > 0 && (usual === undefined || keys.includes(usual))
      return isKnown ? [] : [`${file}: ${gap}`]
    }),
  )
}

/** The texts of all files: strings, and the fixed parts of templates. */
function textsIn(files: Sources): [file: string, text: string][] {
  return [...files].flatMap(([file, source]) => {
    const texts: [string, string][] = []
    walk(parse(file, source), (node, parent) => {
      const { value } = node
      if (node.type === 'Literal' && typeof value === 'string' && !importing.test(parent?.type ?? ''))
        texts.push([file, value])
      if (node.type === 'JSXText') texts.push([file, String(value)])
      if (node.type === 'TemplateElement') texts.push([file, String((value as { cooked?: unknown }).cooked)])
    })
    return texts
  })
}

/** `name` is null where it is computed. */
type Import = { name: string | null; isType: boolean }

const importing = /^(?:ImportDeclaration|ExportAllDeclaration|ExportNamedDeclaration|ImportExpression|TSImportType)$/

const knownImports = new WeakMap<Node, Import[]>()

/** The imports of a file, of any kind. */
function importsOf(file: string, text: string): Import[] {
  const program = parse(file, text)
  const known = knownImports.get(program)
  if (known) return known
  const imports: Import[] = []
  knownImports.set(program, imports)
  walk(program, node => {
    if (node.type === 'CallExpression' && nameOf(node['callee']) === 'require') {
      imports.push({ name: null, isType: false })
    }
    const { source } = node
    if (!importing.test(node.type) || !isNode(source)) return
    const name = source.type === 'Literal' ? String(source['value']) : null
    imports.push({ name, isType: node['importKind'] === 'type' })
  })
  return imports
}

const parsed = new Map<string, Node>()

function parse(file: string, text: string): Node {
  const key = `${file}\n${text}`
  const known = parsed.get(key)
  if (known) return known
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join(', ')}`)
  const node = program as unknown as Node
  parsed.set(key, node)
  return node
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Calls `visit` for every node, with the node that holds it and the field's name. */
function walk(node: Node, visit: (node: Node, parent: Node | undefined, field: string) => void): void {
  const step = (current: Node, parent: Node | undefined, field: string) => {
    visit(current, parent, field)
    for (const name in current) {
      const value = current[name]
      if (Array.isArray(value)) {
        for (const child of value) if (isNode(child)) step(child, current, name)
      } else if (isNode(value)) step(value, current, name)
    }
  }
  step(node, undefined, '')
}
