/** A short line about the files that the agent loads by itself. */
import type { Instructions, StartupContext, SourceList, Skill } from '../agent/startup-context.ts'
import type { Startup } from '../state/state.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import type { Fact } from '../style/facts-line.ts'

/** More skills are only counted. */
const NAMED = 4

/** Empty if there is nothing to say or it is unknown yet. In a narrow terminal counts replace the names. */
export function startupContextFacts(
  reading: StartupContext | 'awaited' | null,
  agent: string,
  startup: Startup,
): Fact[] {
  if (reading === null || reading === 'awaited') return []
  const { instructions, skills, systemPrompt } = reading
  const system = systemPrompt === null ? [] : [fact(`${agent} reads SYSTEM.md`, 0)]
  const facts = [
    ...system,
    ...instructionFacts(instructions, system.length > 0 ? '' : agent, startup),
    ...skillFacts(skills),
    ...brokenFacts(skills),
  ]
  return facts.length === 0 ? [] : [...facts, fact('/context shows more', 4)]
}

function instructionFacts({ items, read }: SourceList<Instructions>, agent: string, startup: Startup): Fact[] {
  const used = items.filter(({ problem }) => problem === null)
  if (used.length === 0) return []
  const verb = read === 'unknown' ? 'may read' : agent === '' ? '' : 'reads'
  const said = (what: string): string => (read === 'no' ? `${what} not read` : `${agent} ${verb} ${what}`.trim())
  const names = used.map(({ path }) => nameOf(path, startup)).join(', ')
  const short = fact(said(used.length === 1 ? 'AGENTS.md' : `${used.length} AGENTS.md`), 0)
  return [{ ...fact(said(names), 5), shorter: short }]
}

/** The name of a file in this folder; other files with their folder. */
function nameOf(path: string, { folder, home }: Startup): string {
  const isIn = (above: string): boolean => /^[/\\]/.test(path.slice(above.length)) && path.startsWith(above)
  const label = home !== undefined && home.length > 1 && isIn(home) ? `~${path.slice(home.length)}` : path
  const [, above = '', name = label] = /^(.*)[/\\]([^/\\]+)$/s.exec(label) ?? []
  return above === folder ? name : label
}

function skillFacts({ items, read }: SourceList<Skill>): Fact[] {
  const taken = items.filter(({ state }) => state === 'taken')
  if (taken.length === 0) return []
  const said = (what: string): string =>
    read === 'no' ? `${what} not used` : read === 'yes' ? what : `perhaps ${what}`
  const short = fact(said(taken.length === 1 ? '1 skill' : `${taken.length} skills`), 1)
  if (taken.length > NAMED) return [short]
  const names = taken.map(({ name }) => name).join(', ')
  return [{ ...fact(said(`${taken.length === 1 ? 'skill' : 'skills'} ${names}`), 6), shorter: short }]
}

function brokenFacts({ items, read }: SourceList<Skill>): Fact[] {
  const count = items.filter(({ state }) => state === 'broken').length
  if (count === 0 || read === 'no') return []
  return [fact(`${count === 1 ? '1 skill' : `${count} skills`} left out`, 3)]
}

function fact(text: string, rank: number): Fact {
  return { text: oneLine(sanitize(text)), rank }
}
