/** The list of the instruction files that the agent loads on its own, to open one; it also shows the conversation that it will get. */
import { dirname, join } from 'node:path'
import type { Memory } from '../../../agent/backend.ts'
import type { Instructions } from '../../../agent/startup-context.ts'
import { here } from '../../../platform/project-files.ts'
import { folderLabel } from '../../../platform/project.ts'
import { showFile } from '../../../platform/shell/show-file.ts'
import { isWithin } from '../../../platform/within.ts'
import { formatBytes, formatTokens } from '../../../text/format.ts'
import type { CommandApp } from '../../../app/command-app.ts'
import type { ChoiceAnswer } from '../../../app/context/choice-prompt.ts'
import type { AppContext } from '../../../app/context/context.ts'
import type { Host } from '../../../app/context/host.ts'
import { openInEditor } from '../../../app/context/open-in-editor.ts'
import { notesFile } from '../../../app/turns/project-note.ts'
import { lookup } from '../../../text/lookup.ts'

/** The project's file and the user's own file, for agents that do not report what they read. */
const READ_BY: Readonly<Record<string, readonly [project: string, own: string]>> = {
  claude: ['CLAUDE.md', '.claude/CLAUDE.md'],
  codex: ['AGENTS.md', '.codex/AGENTS.md'],
  gemini: ['GEMINI.md', '.gemini/GEMINI.md'],
  opencode: ['AGENTS.md', '.config/opencode/AGENTS.md'],
  qwen: ['QWEN.md', '.qwen/QWEN.md'],
  copilot: ['.github/copilot-instructions.md', '.copilot/copilot-instructions.md'],
  vibe: ['AGENTS.md', '.vibe/AGENTS.md'],
  cline: ['AGENTS.md', 'Documents/Cline/Rules'],
}

type MemoryFile = { path: string; detail: string }

/** Lists the files; Enter opens one in the editor. */
export async function openMemory({ context, choicePrompt, turns, pages }: CommandApp): Promise<void> {
  const { backend, host } = context
  if (!host) return context.hint('There is no project folder here.')
  const reading = await backend.reading('at once')
  const files = host.remote?.files ?? here
  const { file: notes } = await notesFile(host.folder, files)
  const read = reading ? readFiles(reading.systemPrompt, reading.instructions.items) : await likelyFiles(context, host)
  const isListed = read.some(({ path }) => path === notes)
  const all = isListed
    ? read
    : [...read, { path: notes, detail: 'does not exist yet; type # in an empty prompt to add a note' }]
  const isSure = reading?.instructions.read === 'yes'
  const title = isSure
    ? `instruction files that ${backend.name} reads`
    : `instruction files that ${backend.name} may read`
  choicePrompt.ask({
    title,
    answers: [...sentAnswers(turns.memory.digest(), pages), ...all.map(each => answerFor(context, host, each))],
  })
}

/** The conversation that the next prompt begins with. */
function sentAnswers(memory: Memory | undefined, pages: CommandApp['pages']): ChoiceAnswer[] {
  if (!memory) return []
  const detail = 'the agent does not know it: your next prompt includes it'
  const label = 'this conversation'
  const title = 'What your next prompt begins with'
  const facts = [`~${formatTokens(memory.facts.tokens)} tokens`]
  return [{ label, facts, detail, run: () => pages.open('help', { kind: 'text', title, text: memory.text }) }]
}

function answerFor(context: AppContext, host: Host, { path, detail }: MemoryFile): ChoiceAnswer {
  return {
    label: folderLabel(path, host.home),
    facts: [ownerOf(path, host.folder)],
    detail,
    run: () => void open(context, host, path),
  }
}

function ownerOf(path: string, folder: string): string {
  if (isWithin(folder, path)) return 'project'
  return isWithin(dirname(path), folder) ? 'above' : 'yours'
}

async function open(context: AppContext, { remote }: Host, path: string): Promise<void> {
  if (remote) return context.hint(`${path} is on ${remote.name} and cannot be opened from here.`)
  await openInEditor(context, place => showFile(path, null, place))
}

function readFiles(systemPrompt: Instructions | null, items: readonly Instructions[]): MemoryFile[] {
  return [...(systemPrompt === null ? [] : [systemPrompt]), ...items].map(file => {
    const { path, tokens, problem } = file
    const size = tokens === null ? '' : `~${formatTokens(tokens)} tokens`
    const use = file === systemPrompt ? ', replaces its own system prompt' : ''
    return { path, detail: problem === null ? `${size}${use}` : `not loaded: it ${problem}` }
  })
}

/** The files that an agent of this name reads if they exist. */
async function likelyFiles({ backend }: AppContext, { folder, home, remote }: Host): Promise<MemoryFile[]> {
  const [project, own] = lookup(READ_BY, backend.name.toLowerCase()) ?? ['AGENTS.md', null]
  const paths = [...(own === null ? [] : [join(home, own)]), join(folder, project)]
  const files = remote?.files ?? here
  return Promise.all(
    paths.map(async path => {
      const stats = await files.stats(path).catch(() => null)
      return { path, detail: stats === null ? 'does not exist yet' : formatBytes(stats.size) }
    }),
  )
}
