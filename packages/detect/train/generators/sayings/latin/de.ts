import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const de: readonly string[] = lines(`
  Morgenstund hat Gold im Mund, aber auch Blei im Hintern.
  Wer andern eine Grube gräbt, fällt selbst hinein.
  Keine Regel ohne Ausnahme.
  Reden ist Silber, Schweigen ist Gold.
  Übung macht den Meister.
  Vergiss nie, wo du herkommst, und merk dir, wo du geparkt hast.
  Man soll den Tag nicht vor dem Abend loben.
  Lügen haben kurze Beine, Ausreden tragen Turnschuhe.
  Du musst nur wollen, sagte der Trainer und setzte sich wieder hin.
  Wer früher stirbt, ist länger tot.
  Echte Männer essen keinen Honig, echte Männer kauen Bienen.
  Echte Programmierer dokumentieren nicht: Was schwer zu schreiben war, soll auch schwer zu lesen sein.
  Mein neues Passwort heißt „falsch“, damit mich der Computer immer daran erinnert.
  Computer lösen Probleme, die wir ohne sie nicht hätten.
  Das Programm ist fertig, es muss nur noch funktionieren.
  Fragt der Lehrer: „Wer kann mir zwei Fürwörter nennen?“ Fritzchen: „Wer, ich?“
  Treffen sich zwei Jäger. Beide tot.
  Sagt die Null zur Acht: „Schicker Gürtel!“
  „Herr Ober, in meiner Suppe schwimmt eine Fliege!“ – „Nicht so laut, sonst wollen alle eine.“
  „Du sagst ab jetzt kein Wort mehr“, zischte Tante Hilde und redete zwei Stunden lang.
  „Von heute an bist du der Chef“, sagte Opa und gab mir die Grillzange.
  „Ignorier ihn einfach“, flüsterte Jana. „Er hält sich für den Kaiser von China.“
  Nicht hinauslehnen.
  Betreten der Baustelle verboten. Eltern haften für ihre Kinder.
  Bitte nicht füttern: Die Enten sind auf Diät.
  Vorsicht, bissiger Hund! Vor der Katze wird ebenfalls gewarnt.
  Rasen betreten verboten, Zugucken erlaubt.
  Bitte Türen schließen, es zieht.
  Im Brandfall Aufzug nicht benutzen.
  Zu verkaufen: Klavier, gut erhalten, nur an Selbstabholer. 150 Euro VB.
  Entlaufen: grauer Kater, hört auf Moritz, ignoriert alles andere.
  Nachhilfe in Mathe und Physik, Klasse 5 bis 10, 15 Euro die Stunde.
  Heute meist bewölkt, im Süden Schauer, Höchstwerte 17 bis 21 Grad.
  Nachts Bodenfrost, in Hochlagen Schnee oberhalb von 900 Metern.
  Der FC verliert 1:3 und bleibt im Tabellenkeller.
  Nach dem Elfmeter in der 89. Minute war das Spiel entschieden.
  Stadtrat beschließt Radweg gegen den Protest der Anwohner
  Rentner folgt Navi und landet im Karpfenteich
  Bäckerei vergisst Salz, Kunden begeistert
  Jetzt neu: noch mehr Schaum, noch weniger Schrubben.
  Vergessen Sie Bügeln. Das Hemd, das sich selbst erinnert.
  Quadratisch, praktisch, ausverkauft.
  Liebes Tagebuch, heute habe ich drei Wecker ignoriert und ein Gewissen.
  Montag: Kaffee. Dienstag: mehr Kaffee. Mittwoch: Wo ist die Woche hin?
  Erster Tag im neuen Job und schon den Chef geduzt. Läuft. 😅
  Wer hat mein Fahrrad gestohlen? Die Bremsen gehen übrigens nicht. Gute Fahrt!
  Liebe Frau Krüger, herzlichen Dank für die Pflaumen und den netten Brief vom 3. Mai.
  Viele Grüße von der Ostsee: Wetter mäßig, Fischbrötchen hervorragend.
  Die Aufklärung ist der Ausgang des Menschen aus seiner selbst verschuldeten Unmündigkeit. — Immanuel Kant
  Es irrt der Mensch, solang er strebt. — Johann Wolfgang von Goethe
  Ohne Musik wäre das Leben ein Irrtum. — Friedrich Nietzsche
  Habe Mut, dich deines eigenen Verstandes zu bedienen! — Immanuel Kant
  Der Kopf ist rund, damit das Denken die Richtung ändern kann. — Francis Picabia
  Murphys Gesetz: Was schiefgehen kann, geht schief.
  Das Brot fällt immer auf die Butterseite.
  An der Kasse ist die andere Schlange immer schneller.
  Spielregel Nummer eins: Der Jüngste fängt an. Nummer zwei: Oma gewinnt.
  Hausordnung, § 4: Nach 22 Uhr ist das Klavierspielen untersagt.
  Regel: das, was man erst kennt, wenn man sie gebrochen hat.
  Beamter (m.): jemand, der morgens geht und abends kommt, dazwischen Formulare.
  Die Gedanken sind frei, wer kann sie erraten, sie fliehen vorbei wie nächtliche Schatten.
  Ich ging im Walde so für mich hin, und nichts zu suchen, das war mein Sinn.
  Der Kapitän befahl Ruhe, der Papagei hielt sich nicht daran.
  In unserer Straße ist alles verboten, was nicht ausdrücklich erlaubt ist, vor allem Laubbläser.
  Ein Physiker, ein Mathematiker und ein Informatiker fahren Zug. Keiner hat eine Fahrkarte.
  Man muss auch mal fünf gerade sein lassen.
  Die dümmsten Bauern ernten die dicksten Kartoffeln.
  Abb. 2: Der Hafen bei Ebbe, um 1890.
`)
