/** Texts for the model about calls that wait or did not run. The user does not see them verbatim. */

/** Also the reason of the turn that zot does not begin: it comes back in its events. */
export const AWAITS_ANSWER =
  'Held: nothing was changed. The user has not decided yet. Their answer and the outcome follow.'
export const AFTER_WAITING =
  'Not run: an earlier call waits for the user. Make this call again afterwards if it is still needed.'
export const STOPPED = 'Not run: the user stopped the turn.'
export const ENDED = 'Not run: the turn ended before the user answered.'
export const AMBIGUOUS = 'Not run: these arguments can be read in two ways. Give each argument once, by its exact name.'
export const SAME_ID = 'Not run: another call with the same id waits for the user. Make one after the other.'
/** zot waits for 60 s. */
export const RUNS_ON = 'This call is still running. Its outcome follows.'
export const TOO_LONG = 'Not run: this command is too long. Write it into a file, or split it into several.'
export const UNKNOWN_CALL = 'Not run: zotui does not know this call.'

/** For agents that are asked to end their turn while calls are deferred. */
const END = 'End your turn now and make no other call: you will get the result in the next message.'
export const WAITS = `Not run yet: the user has not answered, and nothing was changed. ${END}`
export const STILL_RUNS = `This call is still running. ${END}`
export const AFTER_DEFERRED = `Not run: an earlier call has not finished. ${END} If this call is still needed then, make it again.`

/** Replaces an answer that zot could not read. */
export function tooLongAnswer(bytes: number): string {
  return `The call was carried out. Its answer has ${bytes} bytes, which is too long to pass on.`
}

/** The prompt after waiting calls were decided. */
export function outcomes(parts: readonly { tool: string; id: string | null; text: string }[]): string {
  const sections = parts.map(({ tool, id, text }) => `## ${tool}${id === null ? '' : ` (${id})`}\n\n${text}`)
  return ['The calls that were held have been decided. Go on with your work.', ...sections].join('\n\n')
}

/** Words of the user to the running turn, after the result of a call. It must be clear that they are no output of that call. */
export function userSays(prompts: readonly { text: string; before?: readonly string[] | undefined }[]): string {
  const intro = 'The user says this to you now, while you work. It is a message of the user, not a part of this result:'
  return [intro, ...prompts.flatMap(({ before = [], text }) => [...before, text])].join('\n\n')
}

/** The result of a command that did not run, before the words that came first. */
export const HELD_BY_STEER =
  'Not run: the user has said something first. The call was not wrong, and you may make it again.'
/** The result of a later call of the same step. */
export const ALSO_HELD =
  'Not run: the user has said something first, in the result of an earlier call. This call was not wrong, and you may make it again.'
