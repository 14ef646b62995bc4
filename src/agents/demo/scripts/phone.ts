/** The tour of the phone and the browser: a command that waits for a yes from there. */
import type { Script } from '../script/script.ts'
import { bash } from '../script/tools.ts'

const opening = `You may be away from this terminal while I wait for you.

1. \`/serve\` starts a small web server that only this machine reaches, and shows a link for one device, with a QR code. For your phone, \
\`/serve https://ADDRESS\` names the address of a tunnel; the page lists the tunnels that this machine has.
2. Open the link in a browser. It shows a number, and so does \`/serve\`: if they are the same, **y** there lets the device in.
3. The device lists all your conversations, what waits for you first. With \`/permissions ask\`, the next command waits: read it there, \
scroll to its end, and answer.`

const release = `set -e
git fetch --tags
npm ci
npm test
npm version minor
git push --follow-tags origin main
npm publish --access public`

const ending = `Who answered stands beside the call. \`/serve off\` ends the server, and then no device sees anything any more.`

export const phone: Script = {
  name: 'tour phone',
  words: ['phone', 'serve', 'browser'],
  about: 'answering me from your phone or a browser: `/serve`',
  calls: [[{ text: opening, pace: 12 }, { tool: bash(release, [[800, 'published\n']]) }], [ending]],
}
