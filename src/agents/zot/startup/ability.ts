/** Which of the files zot reads depends on how old it is, and that on what it can do: it never says so itself. */
import type { StartupContext, SourceList } from '../../../agent/startup-context.ts'
import type { Greeting } from '../handshake.ts'
import type { StartupPlaces } from './places.ts'
import type { Found } from './context.ts'

type Verdict = Pick<SourceList<never>, 'read' | 'why'>

/** What zot sends by itself with each request, without instructions and skills of others: measured in 2026. */
const OWN_TOKENS = 900

const YES: Verdict = { read: 'yes', why: null }

/** `greeting` is undefined while no zot runs. */
export function judgedContext(
  found: Found,
  flags: StartupPlaces['flags'],
  greeting: Pick<Greeting, 'version' | 'reasoning'> | undefined,
): StartupContext {
  return {
    systemPrompt: found.systemPrompt,
    ownTokens: OWN_TOKENS,
    instructions: { items: found.instructions, ...onInstructions(flags, greeting) },
    skills: { items: found.skills, ...onSkills(flags, greeting) },
    isWhole: found.isWhole,
  }
}

const NOT_RUNNING = 'What zot reads is known once it runs.'

type Asked = Parameters<typeof judgedContext>[2]

function onInstructions({ noInstructions }: StartupPlaces['flags'], greeting: Asked): Verdict {
  if (noInstructions) return { read: 'no', why: 'zot was told to read no AGENTS.md (--no-context-files).' }
  if (!greeting) return { read: 'unknown', why: NOT_RUNNING }
  switch (ageOf(greeting)) {
    case 'new':
      return YES
    case 'old':
      return { read: 'no', why: 'This zot reads no AGENTS.md: those since May 2026 do.' }
    case 'unknown':
      return { read: 'unknown', why: 'This zot may be too old to read AGENTS.md, which those since May 2026 do.' }
  }
}

function onSkills({ noSkills, withSkills }: StartupPlaces['flags'], greeting: Asked): Verdict {
  if (noSkills) return { read: 'no', why: 'zot was told to take up no skills (--no-skill).' }
  if (!greeting) return { read: 'unknown', why: NOT_RUNNING }
  if (withSkills) return YES
  switch (ageOf(greeting)) {
    case 'new':
      return YES
    case 'old':
      return { read: 'no', why: 'This zot takes up skills only if it is started with -- --with-skills.' }
    case 'unknown':
      return {
        read: 'unknown',
        why: 'This zot may take up skills only if it is started with -- --with-skills, as those before May 2026.',
      }
  }
}

/** The last release without AGENTS.md, of May 2026. */
const LAST_WITHOUT = 62

/** One whose reasoning level can be read is of July 2026 or later. Builds from source do not say their version. */
function ageOf(greeting: NonNullable<Asked>): 'new' | 'old' | 'unknown' {
  if (greeting.reasoning !== null) return 'new'
  const release = /^0\.1\.(\d+)\b/.exec(greeting.version)?.[1]
  return release !== undefined && Number(release) <= LAST_WITHOUT ? 'old' : 'unknown'
}
