/** The detail of a panel: `names` is only the title, `short` the important part, `full` everything within reason. */
export type Detail = 'names' | 'short' | 'full'
