/** Commands that people write themselves: a Markdown file each, the project's own and the person's. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import envPaths from 'env-paths'
import { listCommandFiles, MOST_COMMANDS, type CommandFile, type CommandFiles } from './command-files.ts'
import type { CommandSource, FoundCommands, PromptCommand } from './command.ts'
import { fillIn } from './placeholders.ts'
import { readPromptFile } from './prompt-file.ts'

/** What a file may say of itself, in characters. */
const LONGEST_HELP = 300
const LONGEST_ARGUMENT = 60
/** Files named in one remark. */
const NAMED = 3

/** Where they are, and how that is called. */
type Place = {
  folder: string
  label: string
  /** Stands before the name where another has it. */
  prefix: 'project' | 'user'
  from: string
  /** The folder that links must not lead out of: who wrote the project may not name other files of the person. */
  within: string | null
}

/** The person's own commands are in this folder, for all projects. */
export function userCommandsFolder(): string {
  return join(envPaths('zotui', { suffix: '' }).config, 'commands')
}

/** Those of the project, in `.zotui/commands` of the folder that it is told each time, and behind them the person's. */
export function customCommands(
  projectFolder: () => string,
  userFolder: string,
  labelOf: (path: string) => string,
): CommandSource {
  const known = new Map<string, Known>()
  return async () => {
    const project = projectFolder()
    const places: Place[] = [
      {
        folder: join(project, '.zotui', 'commands'),
        label: '.zotui/commands',
        prefix: 'project',
        from: 'project',
        within: project,
      },
      { folder: userFolder, label: labelOf(userFolder), prefix: 'user', from: 'yours', within: null },
    ]
    const found = await Promise.all(places.map(place => findIn(place, known)))
    return {
      commands: found.flatMap(({ commands }) => commands),
      remarks: found.flatMap(({ remarks }) => remarks),
    }
  }
}

async function findIn(place: Place, known: Map<string, Known>): Promise<FoundCommands> {
  const listed = await listCommandFiles(place.folder, place.within)
  const commands = await Promise.all(listed.files.map(file => commandOf(file, place, known)))
  return { commands, remarks: remarksOf(listed, place) }
}

function remarksOf({ unnamed, problem, isCut }: CommandFiles, { label }: Place): string[] {
  const remarks: string[] = []
  if (problem !== null) remarks.push(`${label} ${problem}: its commands are left out.`)
  if (isCut) remarks.push(`${label} has more than ${MOST_COMMANDS} commands: the rest is left out.`)
  if (unnamed.length > 0) {
    const more = unnamed.length > NAMED ? `, and ${unnamed.length - NAMED} more` : ''
    const names = `${unnamed.slice(0, NAMED).join(', ').replace(/\s+/g, ' ')}${more}`
    remarks.push(`${label}: no command is made of ${names}. A name has letters, digits and - _ . only.`)
  }
  return remarks
}

/** What a file said when it was read last, and of which state of it that was. */
type Known = { state: string; facts: Facts }
type Facts = Pick<PromptCommand, 'argument' | 'help' | 'problem'>

async function commandOf(file: CommandFile, place: Place, known: Map<string, Known>): Promise<PromptCommand> {
  const facts = await factsOf(file, place, known)
  return {
    kind: 'prompt',
    ...namesOf(file, place),
    ...facts,
    from: place.from,
    async prompt(argument) {
      const read = await readPromptFile(file.path, place.within)
      return read.ok ? { ok: true, text: fillIn(read.file.body.trim(), argument) } : read
    },
  }
}

/** Nobody can put a file where a skill or another's long name is meant. */
const RESERVED = /^(?:skill|project|user):/

function namesOf({ name }: CommandFile, { prefix }: Place): Pick<PromptCommand, 'name' | 'aliases'> {
  const long = `${prefix}:${name}`
  return RESERVED.test(name) ? { name: long, aliases: [] } : { name, aliases: [long] }
}

/** A file that has not changed is not read again. */
async function factsOf(file: CommandFile, place: Place, known: Map<string, Known>): Promise<Facts> {
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

async function readFacts(file: CommandFile, place: Place): Promise<Facts> {
  const read = await readPromptFile(file.path, place.within)
  if (!read.ok) return { argument: null, help: '', problem: read.reason }
  const { field, body } = read.file
  // A line of signs, such as `---`, says nothing.
  const first = body.split('\n').find(line => /[\p{L}\p{N}]/u.test(line)) ?? body
  return {
    argument: field('argument-hint')?.slice(0, LONGEST_ARGUMENT) ?? null,
    help: (field('description') ?? first.trim().replace(/^#+\s*/, '')).slice(0, LONGEST_HELP),
    problem: null,
  }
}
