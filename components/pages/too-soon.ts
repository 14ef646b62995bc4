/** Said for a yes or a no that does not count yet. A key that does nothing says why. */
export const TOO_SOON = 'Too soon after the question or another key: wait a moment, then press it again.'
