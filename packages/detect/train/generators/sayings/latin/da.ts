import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const da: readonly string[] = lines(`
  Morgenstund har guld i mund.
  Undtagelsen bekræfter reglen.
  Ude godt, men hjemme bedst.
  Den, der graver en grav for andre, falder selv i den.
  Der er ingen ko på isen.
  Mange bække små gør en stor å.
  Glem aldrig, hvor du kommer fra, eller hvor du stillede cyklen.
  Du skal bare ville det, sagde træneren og satte sig igen.
  Rigtige programmører tæller fra nul.
  Min adgangskode er "forkert", så computeren minder mig om den.
  Det virker på min maskine, sagde han og gik på ferie.
  "Tjener, der er en flue i min suppe!" "Ikke så højt, ellers vil alle have en."
  "Lille Per, nævn to stedord." "Hvem, mig?"
  Sagde nullet til ottetallet: flot bælte!
  "Fra nu af er det dig, der bestemmer," sagde farfar og rakte mig grilltangen.
  "Bare ignorer ham," hviskede Anna, "han tror, han er konge af Spanien."
  Læn Dem ikke ud.
  Græsset må ikke betrædes.
  Her vogter jeg. Katten hjælper.
  Brug ikke elevatoren i tilfælde af brand.
  Uvedkommende ingen adgang.
  Klaver sælges, én ejer, 900 kr., skal afhentes.
  Bortløbet grå kat, lyder navnet Rødspætte, ignorerer alt andet.
  Lektiehjælp i matematik, 7. til 10. klasse.
  I morgen byger fra vest, temperaturer omkring 17 grader.
  Varsel om kuling ved kysterne frem til kl. 20.
  Hjemmeholdet vandt 2-1 på et mål i overtiden.
  Byrådet siger ja til cykelsti trods protester
  Pensionist fulgte gps'en og endte i gadekæret
  Biblioteksbog afleveret efter 62 år
  Nyhed: mere skum, mindre skrub.
  Glem strygejernet. Skjorten, der husker sin form.
  Kære dagbog, i dag ignorerede jeg tre vækkeure og en samvittighed.
  Første dag på jobbet, og jeg har allerede kaldt chefen mor 😅
  Til dig, der tog min cykel: den har ingen bremser. Held og lykke.
  Kære fru Holm, tak for brevet af 3. maj og for blommerne.
  Livet forstås baglæns, men må leves forlæns. — Søren Kierkegaard
  At rejse er at leve. — H.C. Andersen
  Murphys lov: alt, hvad der kan gå galt, går galt.
  Maden lander altid med smørret nedad.
  Regel et: den yngste begynder. Regel to: mormor vinder.
  Husorden: intet klaver efter klokken ti.
  Hemmelighed: det, alle på kontoret ved, og ingen siger på mødet.
  Kaptajnen krævede stilhed; papegøjen adlød ikke.
`)
