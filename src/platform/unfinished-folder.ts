let stateFolder: string | null = null

/** From now on unfinished files are listed in this state folder. Without it none are, as in programs that use the client. */
export function listUnfinishedIn(folder: string): void {
  stateFolder = folder
}

/** The state folder in which unfinished files are listed; null if they are not. */
export function unfinishedFolder(): string | null {
  return stateFolder
}
