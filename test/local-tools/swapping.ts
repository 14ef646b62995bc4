/** A program that puts a link in the place of a folder and takes it back, as fast as it can, until it is ended. */
import { lstatSync, renameSync, rmSync } from 'node:fs'
import process from 'node:process'

const [folder = '', link = '', aside = ''] = process.argv.slice(2)
process.stdout.write('swapping\n')
for (;;) {
  try {
    renameSync(folder, aside)
    renameSync(link, folder)
    renameSync(folder, link)
    renameSync(aside, folder)
  } catch {
    recover()
  }
}

/** A tool may have made a folder while there was none. */
function recover(): void {
  try {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) renameSync(folder, link)
    if (!lstatSync(aside, { throwIfNoEntry: false })) return
    rmSync(folder, { recursive: true, force: true })
    renameSync(aside, folder)
  } catch {
    // The tool was faster: the next round tries again.
  }
}
