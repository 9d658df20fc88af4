import { phrases as ar } from './ar.ts'
import { phrases as bn } from './bn.ts'
import { phrases as cs } from './cs.ts'
import { phrases as da } from './da.ts'
import { phrases as de } from './de.ts'
import { phrases as el } from './el.ts'
import { phrases as es } from './es.ts'
import { phrases as fa } from './fa.ts'
import { phrases as fi } from './fi.ts'
import { phrases as fr } from './fr.ts'
import { phrases as he } from './he.ts'
import { phrases as hi } from './hi.ts'
import { phrases as hu } from './hu.ts'
import { phrases as id } from './id.ts'
import { phrases as it } from './it.ts'
import { phrases as ja } from './ja.ts'
import { phrases as ko } from './ko.ts'
import { phrases as nl } from './nl.ts'
import { phrases as no } from './no.ts'
import type { Phrases } from './phrases.ts'
import { phrases as pl } from './pl.ts'
import { phrases as pt } from './pt.ts'
import { phrases as ro } from './ro.ts'
import { phrases as ru } from './ru.ts'
import { phrases as sv } from './sv.ts'
import { phrases as th } from './th.ts'
import { phrases as tr } from './tr.ts'
import { phrases as uk } from './uk.ts'
import { phrases as vi } from './vi.ts'
import { phrases as zh } from './zh.ts'

/** All languages that generators know, by code. */
export const allPhrases: readonly Phrases[] = [
  ar,
  bn,
  cs,
  da,
  de,
  el,
  es,
  fa,
  fi,
  fr,
  he,
  hi,
  hu,
  id,
  it,
  ja,
  ko,
  nl,
  no,
  pl,
  pt,
  ro,
  ru,
  sv,
  th,
  tr,
  uk,
  vi,
  zh,
]
