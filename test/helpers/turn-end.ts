/** The line after a turn that is over: the time of the day and how long it took, then what else is known of it. */
export const turnEnd = /^ +\d\d:\d\d(?: {3}|, )\d/m

/** That line below this text. */
export const turnEndAfter = (before: RegExp): RegExp => new RegExp(`${before.source}[^]*${turnEnd.source}`, 'm')

/** The number of turns that are over. */
export const turnsEnded = (rows: readonly string[]): number => rows.filter(row => turnEnd.test(row)).length
