/** The argument of /serve: `off`, the address of a tunnel, a port. */

export type ServeArgument =
  | { ok: true; isOff: boolean; at: string | null; port: number | null }
  /** `why` is a sentence. */
  | { ok: false; why: string }

export function readServeArgument(argument: string): ServeArgument {
  const words = argument.split(/\s+/).filter(word => word !== '')
  if (words.length === 1 && words[0] === 'off') return { ok: true, isOff: true, at: null, port: null }
  let at: string | null = null
  let port: number | null = null
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const [, flag = '', own] = /^--(at|port)(?:=(.*))?$/.exec(word) ?? []
    const value = flag === '' ? word : (own ?? words[(index += 1)] ?? '')
    if (flag !== 'port' && /^https?:\/\/\S+$/.test(value)) at = value
    else if (flag !== 'at' && /^\d{1,5}$/.test(value) && Number(value) <= 65_535) port = Number(value)
    else return { ok: false, why: whyNot(flag, value) }
  }
  return { ok: true, isOff: false, at, port }
}

function whyNot(flag: string, value: string): string {
  if (flag === 'port') return `A port is a number from 1 to 65535${value === '' ? '' : `, not ${value}`}.`
  if (flag === 'at') return 'The address of a tunnel begins with https://.'
  return `/serve takes the address of a tunnel (https://...), --port and a number, or off, not ${value}.`
}
