import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const no: readonly string[] = lines(`
  Morgenstund har gull i munn.
  Unntaket bekrefter regelen.
  Borte bra, men hjemme best.
  Det finnes ikke dårlig vær, bare dårlige klær.
  Den som graver en grav for andre, faller selv i den.
  Mange bekker små gjør en stor å.
  Glem aldri hvor du kommer fra, eller hvor du satte skiene.
  Du må bare ville det, sa treneren og satte seg igjen.
  Ekte programmerere teller fra null.
  Ekte nordmenn spiser appelsin på hytta.
  Passordet mitt er «feil», så maskinen minner meg på det.
  Det virker hos meg, sa han og tok ferie.
  – Kelner, det er en flue i suppa! – Ikke så høyt, da vil alle ha en.
  Sa nullen til åttetallet: fint belte!
  «Fra nå av er det du som bestemmer», sa bestefar og ga meg grilltanga.
  «Bare overse ham», hvisket Anna, «han tror han er konge av Spania.»
  Ikke len deg ut.
  Det er forbudt å gå på gresset.
  Vokt dem for hunden. Katten er heller ikke til å stole på.
  Bruk ikke heisen ved brann.
  Adgang forbudt for uvedkommende.
  Piano til salgs, én eier, 1500 kr, må hentes.
  Grå katt savnet, lyder navnet Sild, overser alt annet.
  Leksehjelp i matte, ungdomsskole og videregående.
  I morgen regnbyger på Vestlandet, opp mot 17 grader.
  Fare for glatte veier i høyden natt til fredag.
  Hjemmelaget vant 2–1 etter scoring på overtid.
  Kommunen bygger sykkelvei tross protester
  Pensjonist fulgte gps-en rett i dammen
  Bibliotekbok levert etter 62 år
  Nyhet: mer skum, mindre skrubbing.
  Glem strykejernet. Skjorta som husker formen.
  Kjære dagbok, i dag overså jeg tre vekkerklokker og én samvittighet.
  Første dag på jobb, og jeg har alt kalt sjefen mamma 😅
  Til deg som tok sykkelen min: den mangler bremser. Lykke til.
  Kjære fru Dahl, takk for brevet av 3. mai og for plommene.
  Tar man livsløgnen fra et gjennomsnittsmenneske, tar man lykken fra ham med det samme. — Henrik Ibsen
  Murphys lov: alt som kan gå galt, går galt.
  Brødskiva lander alltid med smøret ned.
  Regel én: yngst begynner. Regel to: bestemor vinner.
  Husordensregler: ikke piano etter klokka ti.
  Hemmelighet: det alle på kontoret vet og ingen sier på møtet.
  Kapteinen ba om ro; papegøyen adlød ikke.
`)
