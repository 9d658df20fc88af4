import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const cs: readonly string[] = lines(`
  Kdo jinému jámu kopá, sám do ní padá.
  Výjimka potvrzuje pravidlo.
  Mluviti stříbro, mlčeti zlato.
  Ranní ptáče dál doskáče, ale noční má klid.
  Bez práce nejsou koláče.
  Kdo se moc ptá, moc se dozví.
  Nikdy nezapomeň, odkud jsi a kde jsi zaparkoval.
  Musíš jen chtít, řekl trenér a zase si sedl.
  Opravdoví programátoři počítají od nuly.
  Opravdový houbař svá místa neprozradí.
  Moje heslo je „nesprávné“, počítač mi ho pokaždé připomene.
  U mě to funguje, řekl a odjel na dovolenou.
  „Pane vrchní, mám v polévce mouchu!“ „Nekřičte, nebo ji budou chtít všichni.“
  „Pepíčku, řekni dvě zájmena.“ „Kdo, já?“
  Povídá nula osmičce: Pěkný pásek!
  „Odteď tu velíš ty,“ řekl děda a podal mi kleště na gril.
  „Nevšímej si ho,“ zašeptala Anna, „myslí si, že je španělský král.“
  „Neříkej to mámě,“ zamumlal strýc a otevřel druhou bonboniéru.
  Nevyklánějte se z oken.
  Nevstupujte na trávník.
  Pozor, zlý pes. Ani kočce se nedá věřit.
  V případě požáru nepoužívejte výtah.
  Nepovolaným vstup zakázán.
  Prodám pianino, jeden majitel, 3 000 Kč, odvoz vlastní.
  Ztratil se šedý kocour, slyší na Knedlíka, ostatní ignoruje.
  Doučím matematiku, základní i střední škola, 250 Kč za hodinu.
  Zítra přeháňky na západě, nejvyšší teploty kolem 17 stupňů.
  V noci přízemní mrazíky, ráno mlhy.
  Domácí vyhráli 2:1 gólem v nastavení.
  Zastupitelé schválili cyklostezku navzdory protestům
  Důchodce poslechl navigaci a skončil v rybníce
  Kniha se vrátila do knihovny po 62 letech
  Novinka: víc pěny, méně drhnutí.
  Zapomeňte na žehlení. Košile, která si pamatuje tvar.
  Milý deníčku, dnes jsem ignoroval tři budíky a jedno svědomí.
  První den v práci a už jsem šéfové řekl „mami“ 😅
  Tomu, kdo mi ukradl kolo: nemá brzdy. Hodně štěstí.
  Vážená paní, děkuji za dopis ze 3. května a za švestky.
  Pravda vítězí, ale dá to fušku. — Jan Masaryk
  Škola hrou. — Jan Amos Komenský
  Murphyho zákon: co se může pokazit, to se pokazí.
  Chleba padá vždycky namazanou stranou dolů.
  Pravidlo první: začíná nejmladší. Pravidlo druhé: vyhrává babička.
  Domovní řád: po desáté se na klavír nehraje.
  Tajemství: co v kanceláři všichni vědí a na poradě nikdo neřekne.
  Skákal pes přes oves, přes zelenou louku.
  Kapitán nařídil ticho; papoušek neposlechl.
`)
