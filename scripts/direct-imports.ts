/**
 * Removes files that only re-export names of another file. A dynamic import of a module that shares a file needs such a
 * file, and each takes a millisecond to find, read and link. The import is made direct instead.
 */
import type { Plugin } from 'rolldown'

const PASSES_ON = /^export\{(?<names>[^}]*)\}from"\.\/(?<target>[^"]+)";\s*$/

export const directImports: Plugin = {
  name: 'direct-imports',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || file.isEntry) continue
      const { names, target } = PASSES_ON.exec(file.code)?.groups ?? {}
      if (names === undefined || target === undefined) continue
      delete bundle[file.fileName]
      const own = file.fileName.slice(file.fileName.lastIndexOf('/') + 1)
      for (const other of Object.values(bundle))
        if (other.type === 'chunk') other.code = other.code.replaceAll(importOf(own), directTo(target, names))
    }
  },
}

function importOf(name: string): RegExp {
  return new RegExp(`import\\(\`(?<folder>\\./(?:chunks/)?)${name.replaceAll('.', String.raw`\.`)}\`\\)`, 'g')
}

/** `t as decode,n as x` becomes an object with these members. */
function directTo(target: string, names: string): string {
  const members = names.split(',').map(name => {
    const [from = '', to = from] = name.trim().split(' as ')
    return `${to}:m.${from}`
  })
  return `import(\`$<folder>${target.replaceAll('$', '$$$$')}\`).then(m=>({${members.join(',').replaceAll('$', '$$$$')}}))`
}
