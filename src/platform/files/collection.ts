/** Paths as they are found, and their directories. */

/** Relative to the project, with slashes; a directory ends with one. Each once, a directory before what is in it. */
export type Paths = readonly string[]

export type Collection = {
  /** Grows. */
  readonly paths: Paths
  /** False if the collection is full. */
  add: (path: string) => boolean
}

/** Creates a collection of at most `limit` paths, directories included. */
export function createCollection(limit: number): Collection {
  const paths: string[] = []
  const directories = new Set<string>()
  let last = ''
  let lastParent = ''

  function addDirectory(directory: string): void {
    if (directory === '' || directories.has(directory)) return
    addDirectory(parentOf(directory))
    directories.add(directory)
    if (paths.length < limit) paths.push(directory)
  }

  return {
    paths,
    add(path) {
      // While two versions of a file are merged git names it once for each.
      if (path === last || !isWritable(path)) return true
      last = path
      if (path.endsWith('/')) addDirectory(path)
      else {
        const parent = parentOf(path)
        // Files come in the order of their folders, mostly.
        if (parent !== lastParent) addDirectory(parent)
        lastParent = parent
        if (paths.length < limit) paths.push(path)
      }
      return paths.length < limit
    },
  }
}

/** `a/b/c` and `a/b/c/` are in `a/b/`; what is at the top is in ``. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1)
}

/** Whether a path can be written into a prompt: no control characters, and no bytes that are not text. */
function isWritable(path: string): boolean {
  return !/[\u0000-\u001F\u007F-\u009F\uFFFD]/u.test(path)
}
