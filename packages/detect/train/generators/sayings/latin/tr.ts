import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const tr: readonly string[] = lines(`
  Damlaya damlaya göl olur.
  İstisnalar kaideyi bozmaz.
  Acele işe şeytan karışır.
  Sakla samanı, gelir zamanı.
  Söz gümüşse sükût altındır.
  El elin eşeğini türkü çağırarak arar.
  Nereden geldiğini ve arabayı nereye park ettiğini asla unutma.
  Sadece istemen gerek, dedi antrenör ve yerine oturdu.
  Gerçek programcılar sıfırdan saymaya başlar.
  Şifrem "yanlış", bilgisayar her seferinde hatırlatıyor.
  Bende çalışıyor, dedi ve tatile çıktı.
  — Garson, çorbamda sinek var! — Yavaş konuşun, herkes ister.
  Hoca sormuş: İki zamir söyle. Temel: Kim, ben mi?
  Sıfır sekize demiş ki: Kemerin ne güzel!
  "Bundan sonra patron sensin," dedi dedem ve mangal maşasını bana verdi.
  "Boş ver onu," diye fısıldadı Ayşe, "kendini İspanya kralı sanıyor."
  "Annene söyleme," dedi dayım ve bir kutu daha çikolata açtı.
  Pencereden sarkmayınız.
  Çimlere basmayınız.
  Dikkat köpek var. Kediye de güvenmeyin.
  Yangın anında asansörü kullanmayınız.
  Görevliden başkası giremez.
  Sahibinden satılık piyano, az kullanılmış, nakliye alıcıya ait.
  Gri kedimiz kayıp, Köfte deyince bakar, gerisini umursamaz.
  Ortaokul ve liseye matematik özel ders verilir.
  Yarın batıda sağanak, en yüksek sıcaklık 21 derece.
  Kıyılarda fırtına uyarısı saat 20.00'ye kadar sürecek.
  Ev sahibi uzatmada attığı golle 2-1 kazandı.
  Belediye itirazlara rağmen bisiklet yolunu onayladı
  Navigasyonu dinledi, gölete girdi
  Kitap 62 yıl sonra kütüphaneye döndü
  Yeni: daha çok köpük, daha az uğraş.
  Ütüyü unutun. Şeklini hatırlayan gömlek.
  Sevgili günlük, bugün üç alarmı ve bir vicdanı görmezden geldim.
  İşte ilk gün ve müdüre şimdiden anne dedim 😅
  Bisikletimi çalana: freni yok. Kolay gelsin.
  Sayın hanımefendi, 3 Mayıs tarihli mektubunuz ve erikler için teşekkürler.
  Ya olduğun gibi görün, ya göründüğün gibi ol. — Mevlânâ
  Hayatta en hakiki mürşit ilimdir. — Mustafa Kemal Atatürk
  Murphy kanunu: ters gidebilecek her şey ters gider.
  Kural bir: en küçük başlar. Kural iki: babaanne kazanır.
  Apartman kuralları: saat ondan sonra piyano çalınmaz.
  Sır: ofiste herkesin bildiği, toplantıda kimsenin söylemediği şey.
  Kaptan sessizlik istedi; papağan dinlemedi.
`)
