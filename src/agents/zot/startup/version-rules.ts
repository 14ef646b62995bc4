/** Decides which files this zot reads. That depends on its version, which zot does not report, but its features reveal. */
import type { StartupContext, SourceList } from '../../../agent/startup-context.ts'
import type { Greeting } from '../handshake.ts'
import type { StartupPlaces } from './startup-places.ts'
import type { StartupFiles } from './context.ts'

type LoadVerdict = Pick<SourceList<never>, 'read' | 'why'>

/** Tokens of zot's own system prompt and tools, without instructions and skills: measured in 2026. */
const OWN_TOKENS = 900

const YES: LoadVerdict = { read: 'yes', why: null }

/** `greeting` is undefined while no zot runs. */
export function judgedContext(
  found: StartupFiles,
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

const NOT_RUNNING: LoadVerdict = { read: 'unknown', why: 'This is known once zot runs.' }

type Asked = Parameters<typeof judgedContext>[2]
type Verdicts = Readonly<Record<ReturnType<typeof ageOf>, LoadVerdict>>

const INSTRUCTIONS: Verdicts = {
  new: YES,
  old: { read: 'no', why: 'This zot does not read AGENTS.md: versions since May 2026 do.' },
  unknown: { read: 'unknown', why: 'This zot may be too old to read AGENTS.md: versions since May 2026 do.' },
}

const SKILLS: Verdicts = {
  new: YES,
  old: { read: 'no', why: 'This zot loads skills only if it is started with -- --with-skills.' },
  unknown: {
    read: 'unknown',
    why: 'This zot may load skills only if it is started with -- --with-skills, as versions before May 2026 do.',
  },
}

function onInstructions({ noInstructions }: StartupPlaces['flags'], greeting: Asked): LoadVerdict {
  if (noInstructions) return { read: 'no', why: 'AGENTS.md files are turned off (--no-context-files).' }
  return greeting ? INSTRUCTIONS[ageOf(greeting)] : NOT_RUNNING
}

function onSkills({ noSkills, withSkills }: StartupPlaces['flags'], greeting: Asked): LoadVerdict {
  if (noSkills) return { read: 'no', why: 'Skills are turned off (--no-skill).' }
  if (!greeting) return NOT_RUNNING
  return withSkills ? YES : SKILLS[ageOf(greeting)]
}

/** The last release without AGENTS.md, of May 2026. */
const LAST_WITHOUT = 62

/** Estimates the version's age: a readable reasoning level means July 2026 or later. Builds from source report no version. */
function ageOf(greeting: NonNullable<Asked>): 'new' | 'old' | 'unknown' {
  if (greeting.reasoning !== null) return 'new'
  const release = /^0\.1\.(\d+)\b/.exec(greeting.version)?.[1]
  return release !== undefined && Number(release) <= LAST_WITHOUT ? 'old' : 'unknown'
}
