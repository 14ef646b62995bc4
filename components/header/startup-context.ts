/** A short line about the files that the agent loads by itself. */
import type { Fact } from '../../src/style/facts-line.ts'
import { keyFact } from '../../src/style/list-window.ts'
import { counted } from '../../src/text/counted.ts'
import type { Instructions, StartupContext, SourceList, Skill } from '../../src/agent/startup-context.ts'
import type { Startup } from '../../src/state/state.ts'

/** More skills are only counted. */
const NAMED = 4

/** Empty if there is nothing to say, or not yet. In a narrow terminal counts replace the names. */
export function startupContextFacts(
  reading: StartupContext | 'awaited' | null,
  agent: string,
  startup: Startup,
): Fact[] {
  if (reading === null || reading === 'awaited') return []
  const { instructions, skills, systemPrompt } = reading
  const system = systemPrompt === null ? [] : [keyFact(`${agent} reads SYSTEM.md`, 0)]
  const facts = [
    ...system,
    ...instructionFacts(instructions, system.length > 0 ? '' : agent, startup),
    ...skillFacts(skills),
    ...brokenFacts(skills),
  ]
  return facts.length === 0 ? [] : [...facts, keyFact('/context shows more', 4)]
}

function instructionFacts({ items, read }: SourceList<Instructions>, agent: string, startup: Startup): Fact[] {
  const used = items.filter(({ problem }) => problem === null)
  if (used.length === 0) return []
  const verb = read === 'unknown' ? 'may read' : agent === '' ? '' : 'reads'
  const said = (what: string): string => (read === 'no' ? `${what} not read` : `${agent} ${verb} ${what}`.trim())
  const names = used.map(({ path }) => nameOf(path, startup)).join(', ')
  const short = keyFact(said(used.length === 1 ? 'AGENTS.md' : `${used.length} AGENTS.md`), 0)
  return [{ ...keyFact(said(names), 5), shorter: short }]
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
  const short = keyFact(said(counted(taken.length, 'skill')), 1)
  if (taken.length > NAMED) return [short]
  const names = taken.map(({ name }) => name).join(', ')
  return [{ ...keyFact(said(`${taken.length === 1 ? 'skill' : 'skills'} ${names}`), 6), shorter: short }]
}

function brokenFacts({ items, read }: SourceList<Skill>): Fact[] {
  const count = items.filter(({ state }) => state === 'broken').length
  if (count === 0 || read === 'no') return []
  return [keyFact(`${counted(count, 'skill')} left out`, 3)]
}
