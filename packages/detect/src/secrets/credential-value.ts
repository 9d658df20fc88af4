/**
 * Judges the value of a credential name: how likely it is a real secret, from its own characters.
 * Promises to look at nothing but the value and how it was written. Tested in values.test.ts.
 */

import { isPlaceholder } from './base/placeholders.ts'
import { isReference, isUniqueId } from './base/references.ts'
import { isWordy, looksRandom, type Texture, textureOf } from './base/wordiness.ts'
import type { NameKind } from './credential-names.ts'
import type { NamedValue } from './value-syntax.ts'

const hex = /^[0-9a-fA-F]{16,512}$/
const visible = /^[!-~\u00a1-\uffff]+$/
const strongSymbol = /[!@#$%^&*?]/

/** A sentence or a list of arguments names many things: only unmistakable values count there. */
const isLoose = (link: NamedValue['link']): boolean => link === 'prose' || link === 'argument'

/** Confidence 0..1 that a value under a credential name is a secret; 0 for blanks, variables, hashes and prose. */
export function credentialScore(value: string, kind: NameKind, written: Pick<NamedValue, 'quoted' | 'link'>): number {
  if (value.length < (kind === 'password' ? 6 : 8) || !visible.test(value)) return 0
  const texture = textureOf(value)
  // Most values are words; they are told apart before the costlier tests.
  if (texture.digits === 0 && isWordy(value, texture) && (kind === 'secret' || !strongSymbol.test(value))) return 0
  if (isPlaceholder(value) || isReference(value, written.quoted)) return 0
  // A UUID under such a name may be a key, a tenant or a request; without its issuer's name it stays below the bar.
  if (isUniqueId(value)) return 0.4
  return kind === 'password' ? passwordScore(value, texture, written) : secretScore(value, texture, written)
}

function secretScore(value: string, texture: Texture, { quoted, link }: Pick<NamedValue, 'quoted' | 'link'>): number {
  if (hex.test(value)) return texture.distinct >= 7 && texture.digits > 0 ? 0.85 : 0
  if (isWordy(value, texture)) return 0
  if (value.length >= 12 && looksRandom(value, texture)) return link === 'prose' && texture.digits === 0 ? 0.4 : 0.85
  const kinds = kindsOf(texture)
  return kinds >= 3 && strongSymbol.test(value) && texture.digits > 0 && (quoted || link !== 'assignment') ? 0.6 : 0
}

function passwordScore(value: string, texture: Texture, { quoted, link }: Pick<NamedValue, 'quoted' | 'link'>): number {
  if (hex.test(value)) return texture.distinct >= 7 ? 0.85 : 0
  const kinds = kindsOf(texture)
  const letters = texture.lower + texture.upper
  if (value.length >= 8 && kinds >= 2 && looksRandom(value, texture)) return link === 'prose' && kinds < 3 ? 0.7 : 0.9
  if (letters === 0) return 0
  const isMixed = texture.digits > 0 || strongSymbol.test(value)
  if (isLoose(link) && (texture.digits === 0 || (link === 'argument' && !strongSymbol.test(value)))) return 0
  if (isMixed && !looksLikeName(value)) return quoted || link !== 'assignment' || strongSymbol.test(value) ? 0.7 : 0.55
  return quoted && looksRandom(value, texture) ? 0.7 : 0
}

const kindsOf = ({ lower, upper, digits, symbols }: Texture): number =>
  Number(lower > 0) + Number(upper > 0) + Number(digits > 0) + Number(symbols > 0)

/** An identifier, a slug, a file name or a domain: words with a number at most at their end. */
const looksLikeName = (value: string): boolean =>
  /^[A-Za-z]+(?:[-_./:][A-Za-z0-9]+)+$/.test(value) || (/^[A-Za-z]+[-_]?\d{1,2}$/.test(value) && value.length > 12)
