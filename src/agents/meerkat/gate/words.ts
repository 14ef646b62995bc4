/** What the model is told about calls that Meerkat does not wait for. The user does not see these words as such. */

const END = 'End your turn now, without another call: the outcome follows in the next message.'

export const WAITS = `Held: nothing was changed. The user has not decided yet. ${END}`
export const RUNS_ON = `This call is still running. ${END}`
export const AFTER_LATE = `Not run: an earlier call is not over yet. ${END} Make this call again afterwards if it is still needed.`
