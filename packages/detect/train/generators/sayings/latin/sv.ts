import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const sv: readonly string[] = lines(`
  Morgonstund har guld i mund.
  Undantaget bekräftar regeln.
  Borta bra men hemma bäst.
  Många bäckar små gör en stor å.
  Den som gräver en grop åt andra faller själv däri.
  Det finns inget dåligt väder, bara dåliga kläder.
  Glöm aldrig var du kommer ifrån eller var du ställde bilen.
  Du måste bara vilja, sa tränaren och satte sig igen.
  Riktiga programmerare räknar från noll.
  Mitt lösenord är "felaktigt", så datorn påminner mig varje gång.
  Det funkar på min dator, sa han och gick på semester.
  – Hovmästarn, det är en fluga i soppan! – Inte så högt, då vill alla ha en.
  – Lille Pelle, nämn två pronomen. – Vem, jag?
  Sa nollan till åttan: snyggt skärp!
  "Från och med nu är det du som bestämmer", sa morfar och gav mig grilltången.
  "Strunta i honom", viskade Anna, "han tror att han är kung av Spanien."
  Luta er inte ut genom fönstret.
  Beträd ej gräsmattan.
  Varning för hunden. Lita inte på katten heller.
  Använd inte hissen vid brand.
  Obehöriga äga ej tillträde.
  Piano säljes, en ägare, 1 500 kr, avhämtas.
  Försvunnen grå katt, lyssnar på Sill, struntar i allt annat.
  Läxhjälp i matte, högstadiet och gymnasiet.
  I morgon skurar i väster, dagstemperatur kring 17 grader.
  Halkvarning i hela Svealand under natten.
  Hemmalaget vann med 2–1 efter mål på övertid.
  Kommunen bygger cykelväg trots protester
  Pensionär följde gps:en rakt ner i dammen
  Biblioteksbok tillbaka efter 62 år
  Nyhet: mer skum, mindre skrubb.
  Glöm strykjärnet. Skjortan som minns sin form.
  Kära dagbok, i dag ignorerade jag tre väckarklockor och ett samvete.
  Första dagen på jobbet och jag har redan kallat chefen mamma 😅
  Till dig som tog min cykel: den saknar bromsar. Lycka till.
  Bästa fru Lind, tack för brevet den 3 maj och för plommonen.
  Människa är människans glädje. — Hávamál
  Murphys lag: allt som kan gå fel går fel.
  Mackan hamnar alltid med smöret nedåt.
  Regel ett: yngst börjar. Regel två: mormor vinner.
  Ordningsregler: inget piano efter klockan tio.
  Hemlighet: det som alla på kontoret vet och ingen säger på mötet.
  Kaptenen begärde tystnad; papegojan lydde inte.
`)
