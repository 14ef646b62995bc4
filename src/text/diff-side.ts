/** A file's name in the head of a diff. An absolute path stays: after `a` it would look like one in the project. */
export function diffSide(side: 'a' | 'b', path: string): string {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path) ? path : `${side}/${path}`
}
