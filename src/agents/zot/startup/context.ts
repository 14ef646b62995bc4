/**
 * Looks for the instructions and skills that zot reads by itself, by zot's own rules: what it passes over is told with the
 * reason. Bounded in files, sizes and time, and nothing is followed but what zot follows.
 */
import type { Dirent } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reply } from '../../../agent/backend.ts'
import type { Instructions, StartupContext, Skill } from '../../../agent/startup-context.ts'
import { readRegularFile, readRegularFileWithin } from '../../../platform/regular-file.ts'
import { estimateTokens } from '../../../text/tokens.ts'
import { within } from '../limits.ts'
import type { StartupPlaces, SkillPlace } from './places.ts'
import { parseSkill } from './skill-file.ts'

/** Without whether the zot that runs reads them at all. */
export type Found = {
  systemPrompt: Instructions | null
  instructions: readonly Instructions[]
  skills: readonly Skill[]
  isWhole: StartupContext['isWhole']
}

/** Files are in bytes, the time is in milliseconds. */
export type StartupContextLimits = { file: number; folders: number; time: number }

const LIMITS: StartupContextLimits = { file: 1_000_000, folders: 200, time: 1000 }

/** Never fails; what takes longer than `time` is left out. */
export async function findStartupContext(
  places: StartupPlaces,
  limits: Partial<StartupContextLimits> = {},
): Promise<Found> {
  const look = new Look({ ...LIMITS, ...limits })
  const outcome = await within(look.limits.time, look.at(places))
  const { systemPrompt, instructions, skills } = look
  return { systemPrompt, instructions: [...instructions], skills: [...skills], isWhole: outcome === 'all' }
}

/** The instructions of a skill. Never fails. */
export async function readSkillText({ path, within }: Pick<Skill, 'path' | 'within'>): Promise<Reply<string>> {
  // What a project says is sent in the person's name: it must not be another file of theirs.
  const file = await (within === null
    ? readRegularFile(path, LIMITS.file)
    : readRegularFileWithin(path, { folder: within, called: 'its folder of skills' }, LIMITS.file))
  if (!file.ok) return { ok: false, message: file.reason }
  const { body } = parseSkill(file.bytes.toString('utf8'))
  return body === '' ? { ok: false, message: 'has no instructions' } : { ok: true, value: body }
}

class Look {
  systemPrompt: Instructions | null = null
  readonly instructions: Instructions[] = []
  readonly skills: Skill[] = []
  readonly limits: StartupContextLimits
  /** Where the skill of a name was found first. */
  readonly #firsts = new Map<string, string>()
  #isCut = false

  constructor(limits: StartupContextLimits) {
    this.limits = limits
  }

  async at({ systemPrompt, instructions, skills }: StartupPlaces): Promise<'all' | 'cut'> {
    const own = systemPrompt === null ? null : await this.#instruction(systemPrompt)
    // An empty one is as none.
    this.systemPrompt = own?.tokens === 0 ? null : own
    const files = await Promise.all(instructions.map(folder => this.#inFolder(folder)))
    this.instructions.push(...files.filter(file => file !== null))
    for (const place of skills) await this.#skillsOf(place)
    return this.#isCut ? 'cut' : 'all'
  }

  /** Where the first of the names is there in whatever form, zot does not look for the second. */
  async #inFolder(folder: string): Promise<Instructions | null> {
    for (const name of ['AGENTS.md', 'AGENTS.MD']) {
      const path = join(folder, name)
      if (await isThere(path)) return this.#instruction(path)
    }
    return null
  }

  async #instruction(path: string): Promise<Instructions | null> {
    const file = await readRegularFile(path, this.limits.file)
    if (!file.ok) {
      const isAbsent = file.reason === 'is not there'
      return isAbsent ? null : { path, tokens: null, problem: file.reason }
    }
    const text = file.bytes.toString('utf8').trim()
    return { path, tokens: estimateTokens(text), problem: text === '' ? 'is empty' : null }
  }

  async #skillsOf(place: SkillPlace): Promise<void> {
    const entries = await this.#entriesOf(place.folder)
    const found = await Promise.all(entries.map(entry => this.#skill(entry, place)))
    for (const skill of found) if (skill) this.skills.push(this.#unlessHidden(skill))
  }

  /** In the order of their bytes, which is zot's: of two of one name it takes the first. */
  async #entriesOf(folder: string): Promise<Dirent[]> {
    const entries: Dirent[] = []
    try {
      for await (const entry of await opendir(folder)) {
        if (!entry.isDirectory() && !entry.isSymbolicLink()) continue
        if (entries.length >= this.limits.folders) {
          this.#isCut = true
          break
        }
        entries.push(entry)
      }
    } catch {
      // Mostly there is no such folder; one that cannot be read is passed over by zot as well.
    }
    return entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  }

  async #skill(entry: Dirent, { folder: root, from, isOfProject }: SkillPlace): Promise<Skill | null> {
    const folder = join(root, entry.name)
    const path = join(folder, 'SKILL.md')
    const within = isOfProject ? root : null
    const nothing = { name: entry.name, description: '', path, from, within, listedTokens: 0, loadedTokens: 0 }
    const broken = (note: string): Skill => ({ ...nothing, state: 'broken', note })
    if (entry.isSymbolicLink()) {
      if (!(await isThere(path))) return null
      return broken('is a symbolic link, and zot takes up real folders only')
    }
    const file = await readRegularFile(path, this.limits.file)
    if (file.ok) return { ...nothing, ...readSkill(file.bytes.toString('utf8'), entry.name, path), state: 'taken' }
    if (file.reason !== 'is not there') return broken(`has a SKILL.md that ${file.reason}`)
    return (await isThere(join(folder, 'skill.md'))) ? broken('has a skill.md, which zot wants as SKILL.md') : null
  }

  #unlessHidden(skill: Skill): Skill {
    if (skill.state !== 'taken') return skill
    const first = this.#firsts.get(skill.name)
    if (first === undefined) this.#firsts.set(skill.name, skill.path)
    return first === undefined
      ? skill
      : { ...skill, state: 'hidden', note: `is hidden by the one of this name in ${first}` }
  }
}

/** Characters of what is shown of a skill: zot tells the model all of it. */
const LONGEST_NAME = 80
const LONGEST_DESCRIPTION = 1000

type ReadSkill = Pick<Skill, 'name' | 'description' | 'listedTokens' | 'loadedTokens' | 'note'>

function readSkill(text: string, folder: string, path: string): ReadSkill {
  const { name: said, description, body, isForPersonOnly, note } = parseSkill(text)
  const name = said === '' ? folder : said
  return {
    name: name.slice(0, LONGEST_NAME),
    description: description.slice(0, LONGEST_DESCRIPTION),
    listedTokens: isForPersonOnly ? 0 : estimateTokens(`- ${name} [${path}]: ${description}\n`),
    loadedTokens: estimateTokens(`# Skill: ${name}\n\n${description}\n\n---\n\n${body}`),
    note: note ?? (isForPersonOnly ? 'is for you to call: newer versions of zot do not tell the model of it' : null),
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
