/** Hashes and codes of texts, in UTF-8. */

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

export async function sha256Hex(text: string): Promise<string> {
  return Array.from(await sha256(text), byte => byte.toString(16).padStart(2, '0')).join('')
}

export async function hmacOf(key: string, text: string): Promise<ArrayBuffer> {
  const encoder = new TextEncoder()
  const made = await crypto.subtle.importKey('raw', encoder.encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return crypto.subtle.sign('HMAC', made, encoder.encode(text))
}

export function base64url(bytes: ArrayBuffer | Uint8Array): string {
  const text = String.fromCodePoint(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
