/** The argument of `/race`: who runs, and the prompt. */

/** Null stands for what the conversation that is shown has. */
export type NamedEntrant = { agent: string | null; model: string | null }

export type RaceWords =
  | { ok: true; entrants: readonly NamedEntrant[]; prompt: string }
  /** `why` is a whole sentence. */
  | { ok: false; why: string }

const MOST_ENTRANTS = 8

const FORM = '/race claude,codex,zot:MODEL fix the failing tests'

/** The first word names the agents, each with a model after a colon if it has one; a number is that many of the present agent. */
export function readRaceWords(argument: string): RaceWords {
  const [, first = '', prompt = ''] = /^\s*(\S+)\s*([^]*)$/.exec(argument) ?? []
  if (first === '' || prompt.trim() === '') return { ok: false, why: `A race needs agents and a prompt: ${FORM}` }
  const names = /^\d+$/.test(first) ? Array.from({ length: Math.min(Number(first), 100) }, () => '') : first.split(',')
  if (names.length < 2) return { ok: false, why: `A race needs two agents or more: ${FORM}` }
  if (names.length > MOST_ENTRANTS) return { ok: false, why: `At most ${MOST_ENTRANTS} run in one race.` }
  return { ok: true, entrants: names.map(entrantOf), prompt }
}

/** A model may have colons itself. */
function entrantOf(word: string): NamedEntrant {
  const at = word.indexOf(':')
  const [agent, model] = at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)]
  return { agent: agent === '' ? null : agent, model: model === '' ? null : model }
}
