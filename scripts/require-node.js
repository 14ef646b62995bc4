// Plain JavaScript for any Node: it must run where the TypeScript of the other scripts would not even parse.
// `devEngines` cannot take its place: npm compares it with the Node that runs npm, and would refuse every script on a machine whose
// own Node is older, although npm runs them on the one in node_modules.
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const wanted = manifest.devDependencies.node
const found = process.versions.node

if (found !== wanted) {
  process.stderr.write(
    `zotui's scripts need Node ${wanted}, which \`npm install\` puts into node_modules; this is Node ${found}. ` +
      'Run `npm install` (with install scripts allowed for the package "node"), then call this through npm.\n',
  )
  process.exit(1)
}
