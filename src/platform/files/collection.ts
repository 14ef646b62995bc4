/** Collects paths and the directories that contain them. */

/** Paths relative to the project, with slashes; a directory ends with one. Each once, a directory before its content. */
export type Paths = readonly string[]

export type Collection = {
  /** Grows. */
  readonly paths: Paths
  /** False when there is no room for more. */
  add: (path: string) => boolean
}

/** With at most `limit` paths, directories included. */
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
      // During a merge git lists a file once for each version.
      if (path === last || !isWritable(path)) return true
      last = path
      if (path.endsWith('/')) addDirectory(path)
      else {
        const parent = parentOf(path)
        // Files mostly come in the order of their folders.
        if (parent !== lastParent) addDirectory(parent)
        lastParent = parent
        if (paths.length < limit) paths.push(path)
      }
      return paths.length < limit
    },
  }
}

/** The parent of `a/b/c` and `a/b/c/` is `a/b/`; the parent of a top-level path is empty. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1)
}

/** Whether a path can be written in a prompt: without control characters and invalid bytes. */
function isWritable(path: string): boolean {
  return !/[\u0000-\u001F\u007F-\u009F\uFFFD]/u.test(path)
}
