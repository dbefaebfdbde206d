import { describe, expect, test } from "vitest";
import { homographReason } from "./homograph.ts";
import { judgeUrl } from "./judgeUrl.ts";
import { DEFAULT_URL_POLICY } from "./urlPolicy.ts";

const codes = (host: string) => judgeUrl(`https://${host}/`, DEFAULT_URL_POLICY).findings.map(({ code }) => code);

describe("a host that looks like another one is reviewed", () => {
  test.each([
    ["one Cyrillic letter among Latin ones", "p\u0430ypal.com"],
    ["one Greek letter among Latin ones", "g\u03bfogle.com"],
    ["one Armenian letter among Latin ones", "g\u0585ogle.com"],
    ["a word that is Cyrillic throughout", "\u0430\u0440\u0440\u04cf\u0435.com"],
    ["a word that is Greek throughout", "\u03bd\u03bf\u03bf.com"],
    ["a word that is Armenian throughout", "\u0570\u0578\u057d.com"],
    ["the same as Punycode", "xn--80ak6aa92e.com"],
    ["a Cyrillic word below another name", "\u0430\u0440\u0440\u04cf\u0435.example.com"],
    ["Cyrillic where the top-level domain is Latin and elsewhere", "\u0441\u0441\u0441\u0440.net"],
    ["a Latin letter without its dot", "b\u0131nance.com"],
    ["a Latin letter from phonetics", "\u0261oogle.com"],
    ["an open a", "p\u0251ypal.com"],
    ["a small capital", "\u0274etflix.com"],
    ["a Bengali zero as an o", "g\u09e6\u09e6gle.com"],
    ["a Thai zero as an o", "g\u0e50ogle.com"],
    ["a fraction-like slash", "example.com\u2215login.example.org"],
    ["a Katakana stroke as a slash", "example\u30celogin.org"],
    ["a ratio as a colon", "example\u2236443.org"],
    ["a dash that is none", "my\u2010bank.com"],
    ["a hidden dot on an i", "i\u0307nstagram.com"],
    ["a stroke through a letter", "o\u0338slo.com"],
    ["a pile of marks", "a\u0316\u0317\u0318\u0319\u031a.com"],
    ["Cherokee", "\u13a0\u13a1\u13a2.com"],
    ["Gothic", "\u{10330}\u{10331}.com"],
    ["Hebrew and Arabic in one word", "\u05d0\u0628\u05d1.com"],
    ["Greek and Cyrillic in one word", "\u03b1\u0436\u03b2.com"],
    ["Devanagari digits beside ASCII ones", "\u0915\u0915\u09670.com"],
    ["a multiplication sign as an x", "net\u00d7flix.com"],
    ["an estimated sign as an e", "googl\u212e.com"],
  ])("%s", (_, host) => {
    expect(judgeUrl(`https://${host}/`, DEFAULT_URL_POLICY).verdict).toBe("review");
    expect(codes(host)).toEqual(["url.homograph"]);
  });
});

describe("what people really register passes", () => {
  test.each([
    [
      "German",
      ["m\u00fcnchen.de", "b\u00fccher.de", "stra\u00dfe.de", "gr\u00f6\u00dfe.ch", "k\u00f6ln.de", "\u00e4pfel.at"],
    ],
    ["French", ["caf\u00e9.fr", "h\u00f4tel.fr", "fran\u00e7ais.fr", "c\u0153ur.fr", "no\u00ebl.fr", "\u0153uvre.com"]],
    [
      "Spanish, Portuguese, Catalan",
      ["espa\u00f1a.es", "ni\u00f1os.com", "a\u00e7\u00e3o.com.br", "col\u00b7legi.cat", "corazón.es"],
    ],
    [
      "Nordic",
      [
        "r\u00e4ksm\u00f6rg\u00e5s.se",
        "bl\u00e5b\u00e6r.no",
        "p\u00e6re.dk",
        "\u00f8l.dk",
        "\u00f3\u00f0inn.is",
        "\u00feing.is",
        "h\u00e4t\u00e4.fi",
      ],
    ],
    [
      "Polish, Czech, Hungarian, Romanian",
      [
        "\u017c\u00f3\u0142w.pl",
        "\u0142\u00f3d\u017a.pl",
        "\u010de\u0161tina.cz",
        "\u0151r\u00fclt.hu",
        "\u0219coal\u0103.ro",
      ],
    ],
    [
      "Baltic, Croatian, Maltese",
      ["\u0161okol\u0101de.lv", "\u017eem\u0117.lt", "\u0161koda.hr", "g\u0127awdex.mt", "p\u00e4ev.ee"],
    ],
    [
      "Turkish, Azerbaijani",
      [
        "\u0131\u015f\u0131k.com",
        "kap\u0131.tr",
        "\u00e7i\u00e7ek.com.tr",
        "s\u0131\u011f\u0131nak.org",
        "az\u0259rbaycan.az",
        "qap\u0131.az",
      ],
    ],
    ["Vietnamese", ["ti\u1ebfngvi\u1ec7t.vn", "ph\u1edf.com", "\u0111\u1eb9p.vn", "m\u01b0a.vn"]],
    [
      "Hawaiian, Yoruba, Hausa, Ewe",
      ["hawai\u02bbi.com", "\u1ecd\u0300r\u1ecd\u0300.ng", "\u0199asa.ng", "gb\u0254gbl\u0254.tg"],
    ],
    [
      "Russian, Ukrainian, Bulgarian, Serbian",
      [
        "\u043f\u0440\u0435\u0437\u0438\u0434\u0435\u043d\u0442.\u0440\u0444",
        "\u044f\u043d\u0434\u0435\u043a\u0441.\u0440\u0444",
        "\u043f\u043e\u0447\u0442\u0430.com",
        "\u043a\u0438\u0457\u0432.\u0443\u043a\u0440",
        "\u0431\u0430\u043d\u043a\u0430.\u0431\u0433",
        "\u0441\u0440\u0431\u0438\u0458\u0430.\u0441\u0440\u0431",
      ],
    ],
    [
      "Cyrillic words that look Latin, at home",
      [
        "\u043e\u0441\u0430.bg",
        "\u0440\u043e\u0441\u0430.\u0440\u0444",
        "\u0441\u043e\u0440.ru",
        "\u0441\u0443\u043f.com.ua",
      ],
    ],
    [
      "Kazakh, Mongolian, Belarusian",
      [
        "\u049b\u0430\u0437\u0430\u049b\u0441\u0442\u0430\u043d.kz",
        "\u043c\u043e\u043d\u0433\u043e\u043b.\u043c\u043e\u043d",
        "\u0431\u0435\u043b\u0430\u0440\u0443\u0441\u044c.by",
      ],
    ],
    [
      "Greek",
      [
        "\u03b5\u03bb\u03bb\u03ac\u03b4\u03b1.gr",
        "\u03b1\u03b8\u03ae\u03bd\u03b1.com",
        "\u03b4\u03b9\u03b1\u03b4\u03af\u03ba\u03c4\u03c5\u03bf.\u03b5\u03bb",
        "\u03bd\u03b5\u03c1\u03cc.gr",
      ],
    ],
    [
      "Armenian, Georgian",
      [
        "\u0570\u0561\u0575\u0561\u057d\u057f\u0561\u0576.\u0570\u0561\u0575",
        "\u10e1\u10d0\u10e5\u10d0\u10e0\u10d7\u10d5\u10d4\u10da\u10dd.\u10d2\u10d4",
      ],
    ],
    [
      "Hebrew, Arabic, Persian, Urdu",
      [
        "\u05d9\u05e9\u05e8\u05d0\u05dc.co.il",
        "\u05e9\u05dc\u05d5\u05dd.com",
        "\u0627\u0644\u0639\u0631\u0628\u064a\u0629.com",
        "\u0645\u0635\u0631.com",
        "\u0627\u06cc\u0631\u0627\u0646.ir",
        "\u067e\u0627\u06a9\u0633\u062a\u0627\u0646.com",
      ],
    ],
    [
      "Hindi, Bengali, Tamil, Telugu, Punjabi",
      [
        "\u092d\u093e\u0930\u0924.com",
        "\u09ac\u09be\u0982\u09b2\u09be.com",
        "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd.com",
        "\u0c24\u0c46\u0c32\u0c41\u0c17\u0c41.com",
        "\u0a2a\u0a70\u0a1c\u0a3e\u0a2c\u0a40.com",
      ],
    ],
    [
      "Thai, Lao, Khmer, Burmese, Sinhala",
      [
        "\u0e44\u0e17\u0e22.com",
        "\u0ea5\u0eb2\u0ea7.com",
        "\u1781\u17d2\u1798\u17c2\u179a.com",
        "\u1019\u103c\u1014\u103a\u1019\u102c.com",
        "\u0dc3\u0dd2\u0d82\u0dc4\u0dbd.com",
      ],
    ],
    ["Thai with Latin", ["\u0e2a\u0e2d\u0e19seo.com"]],
    [
      "Amharic, Tibetan, Dhivehi",
      ["\u12a0\u121b\u122d\u129b.com", "\u0f56\u0f7c\u0f51.com", "\u078b\u07a8\u0788\u07ac\u0780\u07a8.com"],
    ],
    [
      "Chinese",
      [
        "\u4e2d\u6587.com",
        "\u767e\u5ea6.\u4e2d\u56fd",
        "\u53f0\u7063.tw",
        "\u4e00\u4e8c\u4e09.com",
        "qq\u90ae\u7bb1.com",
      ],
    ],
    [
      "Japanese",
      [
        "\u65e5\u672c\u8a9e.jp",
        "\u3072\u3089\u304c\u306a.jp",
        "\u30ab\u30bf\u30ab\u30ca.jp",
        "\u30b3\u30fc\u30d2\u30fc.jp",
        "\u30ce\u30fc\u30c8.jp",
        "ec\u30b5\u30a4\u30c8.jp",
        "\u30cd\u30b3\u306e\u65e5.com",
      ],
    ],
    ["Korean", ["\ud55c\uad6d.kr", "\uc0bc\uc131.com", "kt\ubab0.com"]],
    ["symbols", ["i\u2764.ws", "\u2615.ws", "\u{1f4a9}.la"]],
  ])("%s", (_, hosts) => {
    expect(hosts.map((host) => [host, codes(host)])).toEqual(hosts.map((host) => [host, []]));
  });
});

test("a suffix is nobody's choice and is not judged", () => expect(codes("example.\u0441\u0440\u0431")).toEqual([]));

test("plain ASCII is never a homograph", () => expect(homographReason("paypa1-login", "com")).toBeNull());
