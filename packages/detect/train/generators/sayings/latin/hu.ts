import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const hu: readonly string[] = lines(`
  Ki korán kel, aranyat lel.
  A kivétel erősíti a szabályt.
  Aki másnak vermet ás, maga esik bele.
  Lassan járj, tovább érsz.
  Nem minden arany, ami fénylik.
  Addig nyújtózkodj, amíg a takaród ér.
  Sose felejtsd el, honnan jöttél, és hol parkoltál.
  Csak akarni kell, mondta az edző, és visszaült.
  Az igazi programozó nullától számol.
  A jelszavam „helytelen”, így a gép mindig emlékeztet rá.
  Nálam működik, mondta, és elment szabadságra.
  – Pincér, légy van a levesemben! – Halkabban, mert mindenki kér majd.
  – Móricka, mondj két névmást! – Ki, én?
  Azt mondja a nulla a nyolcasnak: Szép az öved!
  – Mától te vagy a főnök – mondta nagyapa, és átadta a grillcsipeszt.
  – Ne is figyelj rá – súgta Anna –, azt hiszi, ő a spanyol király.
  Kihajolni veszélyes!
  Fűre lépni tilos.
  Vigyázat, harapós kutya! A macskában se bízz.
  Tűz esetén a liftet használni tilos.
  Idegeneknek tilos a bemenet.
  Eladó pianínó, egy tulajdonostól, 60 ezer forint, elvitellel.
  Elveszett egy szürke kandúr, Gombóc névre hallgat, minden mást figyelmen kívül hagy.
  Matematika korrepetálás általános és középiskolásoknak.
  Holnap nyugaton záporok, 17–21 fok várható.
  Éjszaka talaj menti fagy, reggel köd.
  A hazaiak 2–1-re nyertek egy hosszabbításban lőtt góllal.
  A tiltakozás ellenére megépül a kerékpárút
  A navigációra hallgatott, a tóban kötött ki
  62 év után került vissza a könyv a könyvtárba
  Új: több hab, kevesebb súrolás.
  Felejtse el a vasalást! Az ing, amely emlékszik.
  Kedves naplóm, ma három ébresztőt és egy lelkiismeretet hagytam figyelmen kívül.
  Első nap az új helyen, és már anyunak szólítottam a főnököt 😅
  Annak, aki ellopta a biciklimet: nincs benne fék. Sok szerencsét.
  Tisztelt Asszonyom, köszönöm május 3-i levelét és a szilvát.
  Talpra magyar, hí a haza! — Petőfi Sándor
  Ember küzdj, és bízva bízzál! — Madách Imre
  Murphy törvénye: ami elromolhat, az el is romlik.
  A vajas kenyér mindig a vajas felére esik.
  Első szabály: a legkisebb kezd. Második szabály: nagymama nyer.
  Házirend: este tíz után tilos a zongora.
  Titok: amit az irodában mindenki tud, de az értekezleten senki sem mond ki.
  A kapitány csendet parancsolt; a papagáj nem engedelmeskedett.
`)
