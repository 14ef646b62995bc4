/** A file's name in the head of a diff, on one of its sides. An absolute path stays as it is: behind `a` it would look like one of the project. */
export function diffSide(side: 'a' | 'b', path: string): string {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path) ? path : `${side}/${path}`
}
