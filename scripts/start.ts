/** `npm start`: builds what is shipped, if it is not, and runs it in the folder that the command was given in. */
import process from 'node:process'

await import('./build-if-changed.ts')
// npm runs scripts in the package's own folder and keeps the caller's in INIT_CWD.
if (process.env['INIT_CWD']) process.chdir(process.env['INIT_CWD'])
const shipped = new URL('../dist/zotui.js', import.meta.url).href
await import(shipped)
