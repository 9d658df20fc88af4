import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const fi: readonly string[] = lines(`
  Aamuhetki kullan kallis.
  Poikkeus vahvistaa säännön.
  Oma tupa, oma lupa.
  Joka toiselle kuoppaa kaivaa, se itse siihen lankeaa.
  Ei oppi ojaan kaada.
  Ei kysyvä tieltä eksy.
  Älä koskaan unohda, mistä tulet ja mihin jätit auton.
  Pitää vain haluta, sanoi valmentaja ja istui takaisin.
  Oikeat ohjelmoijat laskevat nollasta.
  Oikea suomalainen menee saunaan helteelläkin.
  Salasanani on "väärin", niin kone muistuttaa siitä aina.
  Minun koneellani se toimii, hän sanoi ja lähti lomalle.
  – Tarjoilija, keitossani on kärpänen! – Hiljempaa, muuten kaikki haluavat.
  – Pikku Kalle, mainitse kaksi pronominia. – Kuka, minäkö?
  Nolla sanoi kahdeksikolle: hieno vyö!
  "Tästä lähtien sinä määräät", sanoi ukki ja antoi minulle grillipihdit.
  "Älä välitä hänestä", kuiskasi Anna, "hän luulee olevansa Espanjan kuningas."
  Älä nojaa ulos ikkunasta.
  Nurmikolla käveleminen kielletty.
  Varo koiraa. Kissaankaan ei ole luottamista.
  Älä käytä hissiä tulipalon sattuessa.
  Asiattomilta pääsy kielletty.
  Myydään piano, yksi omistaja, 150 euroa, nouto.
  Kadonnut harmaa kissa, tottelee nimeä Muikku, ei muuta.
  Matematiikan tukiopetusta yläkouluun ja lukioon.
  Huomenna sadekuuroja lännessä, lämpötila noin 17 astetta.
  Yöllä hallaa ja aamulla sumua.
  Kotijoukkue voitti 2–1 yliajan maalilla.
  Kaupunki rakentaa pyörätien vastustuksesta huolimatta
  Eläkeläinen totteli navigaattoria ja päätyi lampeen
  Kirja palautettiin kirjastoon 62 vuoden jälkeen
  Uutta: enemmän vaahtoa, vähemmän hankausta.
  Unohda silittäminen. Paita, joka muistaa muotonsa.
  Rakas päiväkirja, tänään en välittänyt kolmesta herätyksestä enkä omastatunnosta.
  Eka työpäivä ja kutsuin jo pomoa äidiksi 😅
  Sille, joka vei pyöräni: siinä ei ole jarruja. Onnea.
  Hyvä rouva Laine, kiitos kirjeestä 3. toukokuuta ja luumuista.
  Mieleni minun tekevi, aivoni ajattelevi. — Kalevala
  Murphyn laki: se mikä voi mennä pieleen, menee pieleen.
  Leipä putoaa aina voipuoli alaspäin.
  Sääntö yksi: nuorin aloittaa. Sääntö kaksi: mummo voittaa.
  Järjestyssäännöt: ei pianonsoittoa kello 22 jälkeen.
  Salaisuus: minkä kaikki toimistossa tietävät eikä kukaan sano kokouksessa.
  Kapteeni vaati hiljaisuutta; papukaija ei totellut.
`)
