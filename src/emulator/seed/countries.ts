/** What a made-up buyer of one country is put together from. In templates `#` is a digit and `@` a letter. */
export type Country = {
  readonly code: string;
  readonly given: readonly [string, ...string[]];
  readonly family: readonly [string, ...string[]];
  /** Whether the family name comes first and is written without a space, as in Chinese or Japanese. */
  readonly familyFirst?: boolean;
  readonly cities: readonly [City, ...City[]];
  readonly streets: readonly [string, ...string[]];
  /** Whether the house number comes before the street. */
  readonly houseFirst?: boolean;
  readonly postalCode: string;
  /** E.164. Number ranges are ones set aside for fiction, or begin with zeros, so that they are never real. */
  readonly phone: string;
  readonly taxId: { readonly kind: string; readonly template: string };
  readonly companies: readonly [string, ...string[]];
};

/** A city, the state or province it lies in, and the ISO 3166-2 code of that. */
export type City = readonly [city: string, state: string | null, stateCode: string | null];

/** Countries of Europe: Latin letters with every kind of accent, and Cyrillic. */
export const europeanCountries = [
  {
    code: 'GB',
    given: ['Amelia', 'Oliver', 'Isla', 'Rhys', 'Siobhán', 'Callum', 'Bronwen', 'Jo'],
    family: ['Ashworth', 'Pemberton', 'Okafor-Reid', "O'Dowd", 'Llewellyn', 'Featherstonehaugh', 'Ng'],
    cities: [
      ['London', 'England', 'GB-ENG'],
      ['Llanfairpwllgwyngyll', 'Wales', 'GB-WLS'],
      ['Inverness', 'Scotland', 'GB-SCT'],
    ],
    streets: ['Mill Lane', 'High Street', "St John's Road"],
    houseFirst: true,
    postalCode: 'ZZ# #@@',
    phone: '+447700900###',
    taxId: { kind: 'gb.vat', template: 'GB#########' },
    companies: ['Harbour & Vale Trading Ltd', 'Thistledown Teas Ltd', 'Quill & Anchor Bookshops PLC'],
  },
  {
    code: 'DE',
    given: ['Jürgen', 'Änne', 'Lukas', 'Frauke', 'Karl-Heinz', 'Sören'],
    family: ['Müßig', 'Größler', 'Schönfelder', 'von der Aue-Lindenthal', 'Weiß', 'Öztürk'],
    cities: [
      ['Berlin', 'Berlin', 'DE-BE'],
      ['Köln', 'Nordrhein-Westfalen', 'DE-NW'],
      ['Görlitz', 'Sachsen', 'DE-SN'],
    ],
    streets: ['Lindenstraße', 'Am Mühlenbach', 'Kleine Gasse'],
    postalCode: '#####',
    phone: '+493023125###',
    taxId: { kind: 'eu.vat', template: 'DE#########' },
    companies: ['Uhrwerk Feinmechanik GmbH & Co. KG', 'Grünwald Backwaren GmbH', 'Straßenbau Süd eG'],
  },
  {
    code: 'FR',
    given: ['Noémie', 'Anaïs', 'François-Xavier', 'Hélène', 'Loïc', 'Zoé'],
    family: ['Lefèvre', 'Deschênes', 'Garçon', "L'Hermitte", 'Nuñez-Roux', 'Œuvrard'],
    cities: [
      ['Paris', 'Île-de-France', 'FR-IDF'],
      ['Saint-Étienne', 'Auvergne-Rhône-Alpes', 'FR-ARA'],
      ['Y', 'Hauts-de-France', 'FR-HDF'],
    ],
    streets: ['rue des Lilas', "avenue de l'Église", 'quai du Marché'],
    houseFirst: true,
    postalCode: '#####',
    phone: '+33639980###',
    taxId: { kind: 'eu.vat', template: 'FR###########' },
    companies: ['Éclair & Fils SARL', 'Boulangerie du Vieux Pont SAS', 'Au Cœur des Vignes SA'],
  },
  {
    code: 'PL',
    given: ['Łucja', 'Stanisław', 'Żaneta', 'Grzegorz', 'Małgorzata'],
    family: ['Wąs', 'Brzęczyszczykiewicz', 'Źdźbłowska', 'Ćwik', 'Dąb-Śliwińska'],
    cities: [
      ['Łódź', 'łódzkie', 'PL-10'],
      ['Świnoujście', 'zachodniopomorskie', 'PL-32'],
    ],
    streets: ['ul. Źródlana', 'ul. Długa', 'Plac Młyński'],
    postalCode: '##-###',
    phone: '+4800000####',
    taxId: { kind: 'eu.vat', template: 'PL##########' },
    companies: ['Młyn nad Wartą Sp. z o.o.', 'Księgarnia Żuraw S.A.'],
  },
  {
    code: 'UA',
    given: ['Оксана', 'Богдан', 'Євгенія', 'Соломія', 'Тарас'],
    family: ['Калинець', 'Вишневецька', 'Ґудзик', 'Перебийніс', 'Заєць'],
    cities: [
      ['Львів', 'Львівська область', 'UA-46'],
      ['Київ', null, 'UA-30'],
    ],
    streets: ['вул. Садова', 'вул. Незалежності', 'пров. Тихий'],
    postalCode: '#####',
    phone: '+38000000####',
    taxId: { kind: 'eu.vat', template: 'EU############' },
    companies: ['ТОВ «Соняшник»', 'ПП «Кам’яний Млин»'],
  },
] as const satisfies readonly Country[];

/** Countries of the other continents: Latin, Japanese, Chinese, Arabic, Devanagari and Tamil letters. */
export const otherCountries = [
  {
    code: 'US',
    given: ['Harper', 'Mason', 'DeShawn', 'María José', 'Bo', 'Wren'],
    family: ['Hollis', 'Van Buskirk', 'Yellowhorse', 'McAllister-Dunn', 'Lo', 'Ortega'],
    cities: [
      ['Springfield', 'Illinois', 'US-IL'],
      ['Truth or Consequences', 'New Mexico', 'US-NM'],
      ['San José', 'California', 'US-CA'],
    ],
    streets: ['Maple Avenue', 'County Road 12', 'W 4th Street'],
    houseFirst: true,
    postalCode: '#####',
    phone: '+120255501##',
    taxId: { kind: 'us.ein', template: '##-#######' },
    companies: ['Blue Mesa Outfitters, Inc.', 'Copper Kettle Foods LLC', 'Tumbleweed "Express" Freight Co.'],
  },
  {
    code: 'BR',
    given: ['João', 'Conceição', 'Luíza', 'Antônio', 'Inês'],
    family: ['Guimarães', 'da Conceição e Sá', 'Magalhães', 'Araújo', 'Brandão'],
    cities: [
      ['São Paulo', 'São Paulo', 'BR-SP'],
      ['Florianópolis', 'Santa Catarina', 'BR-SC'],
    ],
    streets: ['Rua das Acácias', 'Avenida Brasília', 'Travessa do Sol'],
    postalCode: '#####-###',
    phone: '+55110000####',
    taxId: { kind: 'br.cnpj', template: '##.###.###/####-##' },
    companies: ['Padaria Pão & Mel Ltda', 'Açaí do Norte S.A.'],
  },
  {
    code: 'JP',
    given: ['さくら', '健太', '美咲', 'ハルト', '結衣'],
    family: ['山野', '小鳥遊', '髙橋', '一二三', '𠮷川'],
    familyFirst: true,
    cities: [
      ['渋谷区', '東京都', 'JP-13'],
      ['京都市', '京都府', 'JP-26'],
    ],
    streets: ['桜丘町', '本町二丁目', '河原町通'],
    postalCode: '###-####',
    phone: '+81900000####',
    taxId: { kind: 'jp.cn', template: '#############' },
    companies: ['株式会社あおぞら商店', 'ホシノカフェ合同会社'],
  },
  {
    code: 'CN',
    given: ['秀英', '伟', '晓明', '子涵', '丽'],
    family: ['欧阳', '李', '司马', '诸葛', '钱'],
    familyFirst: true,
    cities: [
      ['上海', '上海市', 'CN-SH'],
      ['成都', '四川省', 'CN-SC'],
    ],
    streets: ['梧桐路', '人民大道', '春熙巷'],
    postalCode: '######',
    phone: '+861000000####',
    taxId: { kind: 'hk.br', template: '########-###-##-##-###' },
    companies: ['青竹茶叶有限公司', '长河贸易（上海）有限公司'],
  },
  {
    code: 'AE',
    given: ['نورة', 'خالد', 'ليلى', 'عبد الرحمن', 'سلمى'],
    family: ['النجار', 'السماوي', 'بن يوسف', 'الحداد', 'المرزوقي'],
    cities: [
      ['دبي', null, 'AE-DU'],
      ['العين', 'أبوظبي', 'AE-AZ'],
    ],
    streets: ['شارع النخيل', 'طريق الميناء', 'شارع الواحة'],
    postalCode: '00000',
    phone: '+971500000###',
    taxId: { kind: 'ae.trn', template: '###############' },
    companies: ['شركة الواحة للتجارة ذ.م.م', 'مخبز القمر'],
  },
  {
    code: 'IN',
    given: ['अनन्या', 'रोहन', 'Priya', 'இளங்கோ', 'Arjun'],
    family: ['वर्मा', 'Iyer', 'Subramaniam-Venkataraghavan', 'पाटिल', 'Kulkarni'],
    cities: [
      ['मुंबई', 'Maharashtra', 'IN-MH'],
      ['Thiruvananthapuram', 'Kerala', 'IN-KL'],
    ],
    streets: ['Lotus Colony', 'गांधी मार्ग', 'Temple Street'],
    houseFirst: true,
    postalCode: '######',
    phone: '+910000######',
    taxId: { kind: 'in.gst', template: '##@@@@@####@#Z#' },
    companies: ['Marigold Textiles Pvt. Ltd.', 'नीलकमल ट्रेडर्स'],
  },
] as const satisfies readonly Country[];
