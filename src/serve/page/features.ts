/** Whether this page can work here at all. */

/** A sentence about what is missing; null if nothing is. */
export function missingFeature(): string | null {
  if (!window.isSecureContext)
    return 'This page works over https, or on the machine itself, only: a browser keeps no keys for other addresses.'
  if (!('crypto' in window) || !('subtle' in crypto)) return 'This browser cannot sign requests (WebCrypto).'
  if (!('indexedDB' in window)) return 'This browser keeps no keys (IndexedDB).'
  const isOld =
    !('ReadableStream' in window) ||
    !('TextDecoderStream' in window) ||
    !('IntersectionObserver' in window) ||
    !('withResolvers' in Promise) ||
    !('toSorted' in Array.prototype)
  return isOld ? 'This browser is too old for this page: it needs one of 2024 or later.' : null
}
