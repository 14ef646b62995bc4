/**
 * Finds the instructions and skills that zot loads, by zot's own rules; a skipped file comes with the reason. Files, sizes
 * and time are bounded, and only links that zot follows are followed.
 */
import type { Dirent } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reply } from '../../../agent/backend.ts'
import type { Instructions, StartupContext, Skill } from '../../../agent/startup-context.ts'
import { readRegularFile, readRegularFileWithin } from '../../../platform/regular-file.ts'
import { estimateTokens } from '../../../text/tokens.ts'
import { withTimeout } from '../../transport/with-timeout.ts'
import type { StartupPlaces, SkillPlace } from './startup-places.ts'
import { parseSkill } from './skill-file.ts'

/** The files, whether or not the running zot reads them at all. */
export type StartupFiles = {
  systemPrompt: Instructions | null
  instructions: readonly Instructions[]
  skills: readonly Skill[]
  isWhole: StartupContext['isWhole']
}

/** `file` is in bytes, `time` in milliseconds. */
export type StartupContextLimits = { file: number; folders: number; time: number }

const LIMITS: StartupContextLimits = { file: 1_000_000, folders: 200, time: 5000 }

/** Finds the files. Never fails; files that take longer than `time` are omitted. */
export async function findStartupContext(
  places: StartupPlaces,
  limits: Partial<StartupContextLimits> = {},
): Promise<StartupFiles> {
  const search = new StartupSearch({ ...LIMITS, ...limits })
  const outcome = await withTimeout(search.limits.time, search.at(places))
  const { systemPrompt, instructions, skills } = search
  return { systemPrompt, instructions: [...instructions], skills: [...skills], isWhole: outcome === 'all' }
}

/** Reads the instructions of a skill. Never fails. */
export async function readSkillText({ path, within }: Pick<Skill, 'path' | 'within'>): Promise<Reply<string>> {
  // A project's skill is sent in the user's name, so it must not be a link to another file of theirs.
  const file = await (within === null
    ? readRegularFile(path, LIMITS.file)
    : readRegularFileWithin(path, { folder: within, called: 'its folder of skills' }, LIMITS.file))
  if (!file.ok) return { ok: false, message: file.reason }
  const { body } = parseSkill(file.bytes.toString('utf8'))
  return body === '' ? { ok: false, message: 'has no instructions' } : { ok: true, value: body }
}

class StartupSearch {
  systemPrompt: Instructions | null = null
  readonly instructions: Instructions[] = []
  readonly skills: Skill[] = []
  readonly limits: StartupContextLimits
  /** The path of the first skill of each name. */
  readonly #firsts = new Map<string, string>()
  #isCut = false

  constructor(limits: StartupContextLimits) {
    this.limits = limits
  }

  async at({ systemPrompt, instructions, skills }: StartupPlaces): Promise<'all' | 'cut'> {
    const own = systemPrompt === null ? null : await this.#instruction(systemPrompt)
    // An empty file counts as missing.
    this.systemPrompt = own?.tokens === 0 ? null : own
    const files = await Promise.all(instructions.map(folder => this.#inFolder(folder)))
    this.instructions.push(...files.filter(file => file !== null))
    for (const place of skills) await this.#skillsOf(place)
    return this.#isCut ? 'cut' : 'all'
  }

  /** zot looks for the second name only if nothing has the first. */
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

  /** Returns entries in zot's order, by bytes: of two skills with one name it takes the first. */
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
      // Usually there is no such folder; zot skips one that it cannot read as well.
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
      return broken('is a symbolic link, and zot loads only real folders')
    }
    const file = await readRegularFile(path, this.limits.file)
    if (file.ok) return { ...nothing, ...readSkill(file.bytes.toString('utf8'), entry.name, path), state: 'taken' }
    if (file.reason !== 'is not there') return broken(`has a SKILL.md that ${file.reason}`)
    return (await isThere(join(folder, 'skill.md'))) ? broken('has a skill.md, which zot expects as SKILL.md') : null
  }

  #unlessHidden(skill: Skill): Skill {
    if (skill.state !== 'taken') return skill
    const first = this.#firsts.get(skill.name)
    if (first === undefined) this.#firsts.set(skill.name, skill.path)
    return first === undefined
      ? skill
      : { ...skill, state: 'hidden', note: `is hidden by the skill of the same name in ${first}` }
  }
}

/** The longest texts of a skill that are shown, in characters: zot sends the model all of it. */
const LONGEST_NAME = 80
const LONGEST_DESCRIPTION = 1000

type ReadSkill = Pick<Skill, 'name' | 'description' | 'listedTokens' | 'loadedTokens' | 'note'>

function readSkill(text: string, folder: string, path: string): ReadSkill {
  const { name: ownName, description, body, isForPersonOnly, note } = parseSkill(text)
  const name = ownName === '' ? folder : ownName
  return {
    name: name.slice(0, LONGEST_NAME),
    description: description.slice(0, LONGEST_DESCRIPTION),
    listedTokens: isForPersonOnly ? 0 : estimateTokens(`- ${name} [${path}]: ${description}\n`),
    loadedTokens: estimateTokens(`# Skill: ${name}\n\n${description}\n\n---\n\n${body}`),
    note: note ?? (isForPersonOnly ? 'can only be called by you: newer versions of zot hide it from the model' : null),
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
