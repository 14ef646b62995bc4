/** Prompt commands: one Markdown file each, in the project, in the user's own folder, or shipped with zotui. */
import { stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import envPaths from 'env-paths'
import { listCommandFiles, MOST_COMMANDS, type CommandFile, type CommandFiles } from './command-files.ts'
import { answerUses, type CommandSource, type FoundCommands, type PromptCommand } from './command.ts'
import { fillIn } from './placeholders.ts'
import { withoutChips } from '../../composer/chips.ts'
import { normalisePaste } from '../../composer/paste.ts'
import { readRegularFile, readRegularFileWithin } from '../../platform/regular-file.ts'
import { readFrontmatter, type Frontmatter } from './frontmatter.ts'

/** The longest description and argument hint, in characters. */
const LONGEST_HELP = 300
const LONGEST_ARGUMENT = 60
/** The most files that one notice names. */
const NAMED = 3

type CommandFolder = {
  folder: string
  label: string
  /** Precedes the name where another command has it. */
  prefix: 'project' | 'user' | 'zotui'
  from: string
  /** Links must not lead out of this folder: a project must not name other files of the user. */
  within: string | null
}

/** The folder of the user's own commands, for all projects. */
export function userCommandsFolder(): string {
  return join(envPaths('zotui', { suffix: '' }).config, 'commands')
}

/** The commands in `.zotui/commands` of the current project, followed by the user's own and those that come with zotui. */
export function customCommands(
  projectFolder: () => string,
  userFolder: string,
  labelOf: (path: string) => string,
  shippedFolder: string | null = null,
): CommandSource {
  const known = new Map<string, KnownFacts>()
  return async () => {
    const project = projectFolder()
    const places: CommandFolder[] = [
      {
        folder: join(project, '.zotui', 'commands'),
        label: '.zotui/commands',
        prefix: 'project',
        from: 'project',
        within: project,
      },
      { folder: userFolder, label: labelOf(userFolder), prefix: 'user', from: 'yours', within: null },
    ]
    if (shippedFolder !== null) {
      places.push({ folder: shippedFolder, label: 'prompts', prefix: 'zotui', from: 'zotui', within: null })
    }
    const found = await Promise.all(places.map(place => findIn(place, known)))
    return {
      commands: found.flatMap(({ commands }) => commands),
      notices: found.flatMap(({ notices }) => notices),
    }
  }
}

async function findIn(place: CommandFolder, known: Map<string, KnownFacts>): Promise<FoundCommands> {
  const listed = await listCommandFiles(place.folder, place.within)
  const commands = await Promise.all(listed.files.map(file => commandOf(file, place, known)))
  return { commands, notices: noticesOf(listed, place) }
}

function noticesOf({ unnamed, problem, isCut }: CommandFiles, { label }: CommandFolder): string[] {
  const notices: string[] = []
  if (problem !== null) notices.push(`${label} ${problem}: its commands are ignored.`)
  if (isCut) notices.push(`${label} has more than ${MOST_COMMANDS} commands: the rest are ignored.`)
  if (unnamed.length > 0) {
    const more = unnamed.length > NAMED ? `, and ${unnamed.length - NAMED} more` : ''
    const names = `${unnamed.slice(0, NAMED).join(', ').replace(/\s+/g, ' ')}${more}`
    notices.push(`${label}: ${names} cannot be a command. Names may contain only letters, digits and - _ .`)
  }
  return notices
}

/** The facts from the last read of a file, and the state of the file then. */
type KnownFacts = { state: string; facts: Facts }
type Facts = Pick<PromptCommand, 'argument' | 'help' | 'problem' | 'answer'>

async function commandOf(
  file: CommandFile,
  place: CommandFolder,
  known: Map<string, KnownFacts>,
): Promise<PromptCommand> {
  const facts = await factsOf(file, place, known)
  return {
    kind: 'prompt',
    ...namesOf(file, place),
    ...facts,
    from: place.from,
    ...(place.prefix === 'zotui' && { isShipped: true as const }),
    ...(place.prefix === 'project' && { isOfProject: true as const }),
    async prompt(argument) {
      const read = await readPromptFile(file.path, place.within)
      if (!read.ok) return read
      const text = fillIn(read.file.body.trim(), argument)
      return text.trim() === '' ? { ok: false, reason: 'needs an argument' } : { ok: true, text }
    },
    source: () => readPromptFile(file.path, place.within),
  }
}

/** Prefixes of skills and of long names. A file with such a name gets only its long name. */
const RESERVED = /^(?:skill|project|user|zotui):/

function namesOf({ name }: CommandFile, { prefix }: CommandFolder): Pick<PromptCommand, 'name' | 'aliases'> {
  const long = `${prefix}:${name}`
  return RESERVED.test(name) ? { name: long, aliases: [] } : { name, aliases: [long] }
}

/** Reads a file again only where it has changed. */
async function factsOf(file: CommandFile, place: CommandFolder, known: Map<string, KnownFacts>): Promise<Facts> {
  const state = await stateOf(file.path)
  const before = known.get(file.path)
  if (before !== undefined && before.state === state) return before.facts
  const facts = await readFacts(file, place)
  known.set(file.path, { state, facts })
  return facts
}

async function stateOf(path: string): Promise<string> {
  return stat(path).then(
    ({ ctimeMs, size, ino }) => `${ctimeMs} ${size} ${ino}`,
    () => '',
  )
}

async function readFacts(file: CommandFile, place: CommandFolder): Promise<Facts> {
  const read = await readPromptFile(file.path, place.within)
  if (!read.ok) {
    const path = `${place.label}/${relative(place.folder, file.path)}`
    return { argument: null, help: '', problem: `${read.reason} (${path})` }
  }
  const { field, body } = read.file
  const answer = answerUses.find(use => use === field('answer'))
  // A line without letters, such as `---`, is not a description.
  const first = body.split('\n').find(line => /[\p{L}\p{N}]/u.test(line)) ?? body
  return {
    argument: field('argument-hint')?.slice(0, LONGEST_ARGUMENT) ?? null,
    help: (field('description') ?? first.trim().replace(/^#+\s*/, '')).slice(0, LONGEST_HELP),
    problem: null,
    ...(answer && { answer }),
  }
}

/** In bytes. A longer prompt is not written by hand. */
const LARGEST_PROMPT = 64_000

type PromptFile =
  | { ok: true; file: Frontmatter; text: string }
  /** `reason` completes a sentence that begins with the file's name: `is not there`. */
  | { ok: false; reason: string }

/**
 * Reads a prompt of at most 64 kB. `within`: the folder that it must be in after all links have been followed; null for
 * anywhere. Control characters are removed. Never throws.
 */
async function readPromptFile(path: string, within: string | null): Promise<PromptFile> {
  const read = await (within === null
    ? readRegularFile(path, LARGEST_PROMPT)
    : readRegularFileWithin(path, { folder: within, called: 'the project' }, LARGEST_PROMPT))
  if (!read.ok) return read
  const text = decoded(read.bytes)
  if (text === null) return { ok: false, reason: 'is not UTF-8 text' }
  const clean = withoutChips(normalisePaste(text))
  const file = await readFrontmatter(clean)
  return file.body.trim() === '' ? { ok: false, reason: 'has no text' } : { ok: true, file, text: clean }
}

function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
