/** Texts for the model about calls that the agent does not wait for. The user does not see them verbatim. */

const END = 'End your turn now and make no other call: you will get the result in the next message.'

export const WAITS = `Not run yet: the user has not answered, and nothing was changed. ${END}`
export const RUNS_ON = `This call is still running. ${END}`
export const AFTER_LATE = `Not run: an earlier call has not finished. ${END} If this call is still needed then, make it again.`
