/** Who signed a request. Nothing of a request is looked at before its signature is known to be right, and each counts once. */
import type { Admission, Newcomer } from './admission.ts'
import type { Devices, PairedDevice } from './devices.ts'
import type { Nonces } from './nonces.ts'
import type { PageError } from './page-lines.ts'
import { isSignedByKey, isSignedByToken, readSignature, type RequestSignature } from './signatures.ts'
import type { Share, Shares } from './shares.ts'

export type Signer =
  | { kind: 'device'; device: PairedDevice }
  | { kind: 'newcomer'; newcomer: Newcomer }
  | { kind: 'share'; share: Share }

export type SignerParts = { nonces: Nonces; devices: Devices; admission: Admission; shares: Shares }

type SentRequest = { path: string; body: Uint8Array; header: string }

/** Finds the signer, and notes that the request was made; or says why there is none. */
export function signerOf(request: SentRequest, parts: SignerParts): Signer | PageError {
  const signature = readSignature(request.header)
  if (!signature) return 'unknown'
  const signer = findSigner(signature, parts)
  if (!signer) return 'unknown'
  const nonce = parts.nonces.numberOf(signature.nonce)
  if (nonce === null) return 'nonce'
  const used = usedOf(signer)
  const found = used.check(nonce, signature.counter)
  if (found !== 'new') return found
  const signed = { path: request.path, body: request.body, signature }
  const isRight =
    signer.kind === 'share' ? isSignedByToken(signer.share.token, signed) : isSignedByKey(verifierOf(signer), signed)
  if (!isRight) return 'signature'
  used.use(nonce, signature.counter)
  return signer
}

function findSigner({ by, id }: RequestSignature, { devices, admission, shares }: SignerParts): Signer | null {
  if (by === 'share') {
    const share = shares.find(id)
    return share && { kind: 'share', share }
  }
  // A device that is paired anew waits for its answer, whatever it may do already.
  const newcomer = admission.newcomer(id)
  if (newcomer) return { kind: 'newcomer', newcomer }
  const device = devices.find(id)
  return device && { kind: 'device', device }
}

function usedOf(signer: Signer) {
  if (signer.kind === 'share') return signer.share.used
  return signer.kind === 'device' ? signer.device.used : signer.newcomer.used
}

function verifierOf(signer: Exclude<Signer, { kind: 'share' }>) {
  return signer.kind === 'device' ? signer.device.verifier : signer.newcomer.verifier
}
