/** Pairs this browser: by the link that the terminal shows, and a number that both show. */
import { numberOf, numberText, pairingText } from '../page-lines.ts'
import { base64url, hmacOf, sha256, sha256Hex } from './digests.ts'
import { button, element } from './dom.ts'
import { deviceIdentity, forgetDevice, newKey, storeDevice, type Identity } from './identity.ts'
import { plainPage } from './plain-page.ts'
import { RequestError, RequestSigner, unsigned } from './requests.ts'

/** Milliseconds between two questions whether the person has said yes. */
const POLL = 1000

/** Resolves once the person has said yes. Otherwise it stays on its page, which says what to do. */
export async function pairDevice(root: HTMLElement, token: string): Promise<Identity> {
  const name = await askName(root)
  for (;;) {
    try {
      const { pair, key } = await newKey()
      const { attempt, commitment } = await unsigned('pair/begin', {})
      const proof = base64url(await hmacOf(token, pairingText(attempt, key, name)))
      const { nonce, device } = await unsigned('pair', { attempt, key, name, proof })
      if ((await sha256Hex(nonce)) !== commitment)
        return await never(
          root,
          'This cannot be trusted',
          'The server did not keep to what it had sent before. Somebody may be in between. Nothing was paired.',
        )
      const number = numberOf(await sha256(numberText(key, nonce, token)))
      const identity = deviceIdentity(device, pair)
      // A page that is closed now goes on with this key when it is opened again.
      await storeDevice({ id: device, key: pair })
      await waitForYes(root, identity, number)
      return identity
    } catch (error) {
      await problem(root, error)
    }
  }
}

/** Waits until the person has let in a device that an earlier server knew, or that was not answered yet. */
export async function waitForYes(root: HTMLElement, identity: Identity, own: string | null = null): Promise<void> {
  const requests = new RequestSigner(identity)
  let shown = own
  if (shown !== null) showNumber(root, shown)
  for (;;) {
    const { state, number } = await requests.ask('pair/status', {}).catch((error: unknown) => {
      if (error instanceof RequestError && (error.why === 'offline' || error.why === 'many'))
        return { state: 'waiting', number: '' } as const
      throw error
    })
    if (state === 'paired') return
    if (state === 'refused') {
      if (own !== null) await forgetDevice()
      await never(
        root,
        'Refused',
        'The person at the terminal has said no. A new link is made there: press p, or open /serve.',
      )
    }
    // The number of a new device is made here: what the server says is not shown.
    if (own === null && number !== '' && number !== shown) {
      shown = number
      showNumber(
        root,
        number,
        'This zotui has started again. Let this device in at the terminal, if it shows the same number.',
      )
    }
    await later(POLL)
  }
}

async function askName(root: HTMLElement): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const input = element('input', {
    id: 'device-name',
    type: 'text',
    maxlength: '60',
    autocomplete: 'off',
    enterkeyhint: 'go',
  })
  input.value = guessedName()
  const form = element(
    'form',
    {},
    element('label', { for: 'device-name' }, 'The name of this device'),
    input,
    element('button', { type: 'submit', class: 'button primary wide' }, 'Pair this device'),
  )
  form.addEventListener('submit', event => {
    event.preventDefault()
    resolve(input.value.trim() || guessedName())
  })
  plainPage(root, {
    title: 'Pair with zotui',
    sentences: ['The terminal then shows a number. Compare it with the one that is shown here, and say yes there.'],
    more: form,
  })
  return promise
}

function showNumber(
  root: HTMLElement,
  number: string,
  sentence = 'Say yes in the terminal if it shows the same number. If it shows another one, say no: somebody is in between.',
): void {
  plainPage(root, {
    title: 'Compare this number',
    sentences: [sentence],
    more: element(
      'div',
      {},
      element(
        'p',
        { class: 'number', 'aria-label': number.split('').join(' ') },
        `${number.slice(0, 3)} ${number.slice(3)}`,
      ),
      element('p', { class: 'waits', role: 'status' }, 'Waiting for the terminal…'),
    ),
  })
}

async function problem(root: HTMLElement, error: unknown): Promise<void> {
  const why = error instanceof RequestError ? error.why : null
  if (why === 'link' || why === 'unknown')
    return never(
      root,
      'This link is used up',
      'A link works once, for two minutes. Make a new one in the terminal: press p, or open /serve.',
    )
  if (why === null)
    return never(root, 'This browser cannot be paired', error instanceof Error ? error.message : String(error))
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const sentence = why === 'many' ? 'Too many attempts at once. Wait a moment.' : 'The server does not answer.'
  plainPage(root, {
    title: 'Not paired yet',
    sentences: [sentence],
    more: button('Try again', resolve, { look: 'primary wide' }),
  })
  await promise
}

/** The end of the way: only a new link leads on. */
async function never(root: HTMLElement, title: string, sentence: string): Promise<never> {
  plainPage(root, { title, sentences: [sentence], isProblem: true })
  return Promise.withResolvers<never>().promise
}

async function later(milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, milliseconds)
  await promise
}

/** Browsers say little about their device. */
function guessedName(): string {
  const { userAgent } = navigator
  const has = (word: string): boolean => userAgent.includes(word)
  const browser = has('Firefox')
    ? 'Firefox'
    : has('Edg/')
      ? 'Edge'
      : has('Chrome')
        ? 'Chrome'
        : has('Safari')
          ? 'Safari'
          : 'a browser'
  const device = has('iPhone')
    ? 'iPhone'
    : has('iPad')
      ? 'iPad'
      : has('Android')
        ? 'Android'
        : has('Mac OS')
          ? 'Mac'
          : has('Windows')
            ? 'Windows'
            : 'Linux'
  return `${browser} on ${device}`
}
