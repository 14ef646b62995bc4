/** `names` is the title alone, `short` what one needs to see, `full` all of it within reason. */
export type Detail = 'names' | 'short' | 'full'
