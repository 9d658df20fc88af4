import { phrases as cs } from '../phrases/latin/cs.ts'
import { phrases as da } from '../phrases/latin/da.ts'
import { phrases as de } from '../phrases/latin/de.ts'
import { phrases as es } from '../phrases/latin/es.ts'
import { phrases as fi } from '../phrases/latin/fi.ts'
import { phrases as fr } from '../phrases/latin/fr.ts'
import { phrases as hu } from '../phrases/latin/hu.ts'
import { phrases as id } from '../phrases/latin/id.ts'
import { phrases as it } from '../phrases/latin/it.ts'
import { phrases as nl } from '../phrases/latin/nl.ts'
import { phrases as no } from '../phrases/latin/no.ts'
import { phrases as pl } from '../phrases/latin/pl.ts'
import { phrases as pt } from '../phrases/latin/pt.ts'
import { phrases as ro } from '../phrases/latin/ro.ts'
import { phrases as sv } from '../phrases/latin/sv.ts'
import { phrases as tr } from '../phrases/latin/tr.ts'
import { phrases as vi } from '../phrases/latin/vi.ts'
import { phrases as ar } from '../phrases/other-scripts/ar.ts'
import { phrases as bn } from '../phrases/other-scripts/bn.ts'
import { phrases as el } from '../phrases/other-scripts/el.ts'
import { phrases as fa } from '../phrases/other-scripts/fa.ts'
import { phrases as he } from '../phrases/other-scripts/he.ts'
import { phrases as hi } from '../phrases/other-scripts/hi.ts'
import { phrases as ja } from '../phrases/other-scripts/ja.ts'
import { phrases as ko } from '../phrases/other-scripts/ko.ts'
import { phrases as ru } from '../phrases/other-scripts/ru.ts'
import { phrases as th } from '../phrases/other-scripts/th.ts'
import { phrases as uk } from '../phrases/other-scripts/uk.ts'
import { phrases as zh } from '../phrases/other-scripts/zh.ts'
import type { Phrases } from '../phrases/phrases.ts'

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
