/** The name of a program without what differs between machines. */

/**
 * `python` for `/usr/bin/python3.12`, `gcc` for `gcc-13`, `lua` for `lua5.4`: without folder, ending and version, in lower case. For
 * warnings and to refuse: two programs can have one such name (`md5sum` keeps its digit, `base64` does not).
 */
export function programName(word: string): string {
  const name = word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, '')
  const digits = /^(.*?[a-z])[-_.]?\d[\d.]*$/.exec(name)
  return digits?.[1] ?? name
}
