// Built by `npm run zones` from moment-timezone 0.6.6: not to be edited.

/** The release of the tz database. */
export const release = '2026f';

/** As `parseGap` reads them, in the order of `gapSigns`. */
export const gaps =
  '344 56k 56s 5p8 798 7rw 8ak 8ao 8t8 8tc 8vw 8yk 9bw 9by 9c0 9c4 9uk 9um 9uo 9us a58 ad8 adc adg avw aw0 aw4 bbw bc4 bek beo bes bxc bxg cfw cg0 cyk cyo cys dh8 dhc dhg dhk djw dk0 dk4 dmk dzw e00 e04 eik eio eis f18 f1c fjw fk0 fk4 g2k g2o g2s glc glg gw4 h44 hmk hmo hmq hms i2s i5c i5g j6s qys 2qfw 125uk';

/** A line for each zone: its name and its links, and its rules as `parseZone` reads them. */
export const zones = `
Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Conakry Africa/Dakar Africa/Freetown Africa/Lome Africa/Nouakchott Africa/Ouagadougou Africa/Timbuktu Atlantic/Reykjavik Atlantic/St_Helena Iceland|-968 0|1(-17l9b.68)
Africa/Algiers|732 561 0 3600 7200|1(-1n7up.168)2(f0o0.171)3(3yfw.561)(82o)(cw0)(elc)(bc0)(fmo)(atc)(g5c)(9s0)(io0)(aio)(7c0)(dp1c)(51g)(79k)4(3318)(dx8)(d1g)(cd4)2(slc)(6zxg)(5eyk)(61c0)e(47pg)4(nuo)p2(tjs)pxn
Africa/Bissau|-3740 -3600 0|1(-17l98)2(1bcio)
Africa/Cairo Egypt|7509 7200 10800|1(-1g1mx.591)2(twg0.309)(5rw)!d(elg)(fh8)(bk4)(fuk)(b9g)(fuk)(cas)(eqk)(8npg)(anw)(fpg)b(fpk)(b9g)(fuk)(b9g)(frw)(b9g)(frw)(b9g)(frw)(b9g)(fuk)(b9g)(frw)(b9g)(frw)c(fp8)c(frw)c(fp8)c(fp8)c(fp8)c(frw)c(fp8)c(fp8)c(fp8)c(frw)c(fp8)c(fp8)c(fp8)c(frw)c(fp8)c(lzw)(51g)(l18)(604)(frw)c(fp8)c(fp8)c(fp8)c(frw)c,(ays)(fp8)c(fp8)c(frw)c(fp8)c(fp8)c(fh4)d+d+d+d.d+d+d+d+d.d+d+Y.Q<M@I(io4)(7mk)(284)(1jw)(2q04)(33w)(2lg)(458)(6gas)|4.24.5.0.2 10.26.5.0.1
Africa/Casablanca|-1820 0 3600|1(-1682m.20)2(jg59.880)(518)(79g)(4b18)(3fes)V(ch04)(8uk)(522s)(53w)(191g)(6t8)(k84)(b3w)(i84)(4qk)(47xg)(1cl8)(gug4)(6t8)(k84)(5zw)(itg)E@I(k8c)(62o)(2ao)(31c)*(56o)(2io)(5s0)e(6o0)(2lc)(6ao)e(5pc)(2lc)(79c)e(56o)(2lc)HZ(45c)(340)JZ(3mo)(2lc)(nuo)(2lc)(nc0)(340)(nc0)(2lc)(nc0)(340)(nc0)(2lc)(nuo)(2lc)(nc0)(340)(nc0)(2lc)n
Africa/Ceuta|-1276 0 3600 7200|1(-1futc)2(d198)d(45hg)(co4)(15h8)(cg4)vmzl(t1tc)(8uk)(522s)(53w)(191g)(6t8)(k84)(b3w)(i84)(4qk)(47xg)3(1j44)oooooooowoooooooooow|3.25.0.7200.3 10.25.0.10800.2
Africa/El_Aaiun|-3168 -3600 0 3600|1(-r1zx.468)2(vs00.432)3(198)(6t8)(k84)(b3w)(i84)(4qk)(meys)(6t8)(k84)(5zw)(itg)E@I(k8c)(62o)(2ao)(31c)*(56o)(2io)(5s0)e(6o0)(2lc)(6ao)e(5pc)(2lc)(79c)e(56o)(2lc)HZ(45c)(340)JZ(3mo)(2lc)(nuo)(2lc)(nc0)(340)(nc0)(2lc)(nc0)(340)(nc0)(2lc)(nuo)(2lc)(nc0)(340)(nc0)(2lc)n
Africa/Johannesburg Africa/Maseru Africa/Mbabane|6720 5400 7200 10800|1(-1mjhk.480)2(8b41.420)3(tq86)npn
Africa/Juba|7588 7200 10800|1(-tb6x.512)2(tk2o.388)(cd8)(elg)i(eo4)i!(cik)(eg4)(cl8)(edg)(cnw)(eas)(ct8)(e5g)(cvw)(elg)i!(cik)(eg4)(cnw)(eas)(cqk)(e84)(ct8)(e5g)(cvw)(elg)(cik)(eg4)(cl8)(aplg)(ftfw)
Africa/Khartoum|7808 7200 10800|1(-tb6x.292)2(tk2o.608)(cd8)(elg)i(eo4)i!(cik)(eg4)(cl8)(edg)(cnw)(eas)(ct8)(e5g)(cvw)(elg)i!(cik)(eg4)(cnw)(eas)(cqk)(e84)(ct8)(e5g)(cvw)(elg)(cik)(eg4)(cl8)(aplg)(ddfw)
Africa/Lagos Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Libreville Africa/Luanda Africa/Malabo Africa/Niamey Africa/Porto-Novo|815 0 1800 3600|1(-1ch6p.85)(296o.815)2(44vz.85)3(499a.815)
Africa/Maputo Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Kigali Africa/Lubumbashi Africa/Lusaka|7818 7200|1(-19udl.282)
Africa/Monrovia|-2588 -2670 0|1(-127ha.788)2(13q00.82)
Africa/Nairobi Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala Africa/Mogadishu Indian/Antananarivo Indian/Comoro Indian/Mayotte|8836 9000 10800 9900|1(-1aciy.164)2(f5mn.736)(14ym)3(5942)2(46yn)
Africa/Ndjamena|3612 3600 7200|1(-17l9h.888)2(1exxc.12)(at8)
Africa/Sao_Tome|1616 -2205 0 3600|1(-1smqq.184)2(l1hd.716)3(27nxg)(r1c)
Africa/Tripoli Libya|3164 3600 7200|1(-11ktg.436)2(nvxj.464)(5uc)(1bxo)(67o)(1b6s)(6vw)(296s)(haak)(6o4)rprtr(dus)(d6k)(dpg)n(dc4)rtrpr(fxg)(4tek)(ds4)(bq5g)(aao)
Africa/Tunis|2444 561 3600 7200|1(-1um5f.256)2(meyq.83)3(l47s.561)-(7c0)(17k0)f(hmw)Z(1ek)(lg)(bzw)p(dx0)(d1o)(cd0)(nrhg)Z(g80)(bc0)(79k0)(8lc)oo(g80)(b9c)(aylc)(b9g)(d44)-Z-e*
Africa/Windhoek|4104 5400 7200 10800 3600|1(-1mjhh.396)2(8b3y.504)3(tq86)n4(12buk)(cdo)&f,a,f&f&f&f&f,a,f&f&f&f&f,f&f&f&f&f,a,f&f&f&f
America/Adak America/Atka US/Aleutian|44002 -42398 -39600 -36000 -32400|1(-24t3y.73)2(oofx.25)3(v61g.802)}(hps4)npnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvm4(rh8)npnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.4 11.1.0.7200.3
America/Anchorage US/Alaska|50424 -35976 -36000 -32400 -28800|1(-24t3y.73)2(oofp.803)3(v61k.24)}(hps4)npnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvm4(rh8)npnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.4 11.1.0.7200.3
America/Araguaina|-11568 -10800 -7200|1(-1633o.768)2(dcbv.132)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(io4)F_I(49hg)I@Q(h6s)(at8):Q:Y:Q@M_F(79us)I
America/Argentina/Buenos_Aires America/Buenos_Aires|-14028 -15408 -14400 -10800 -7200|1(-1khox.528)2(j5up.480)3(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp4(38d8)E(ayo4)(6yk):V<Q<Q<V(b4tg)D.Y
America/Argentina/Catamarca America/Argentina/ComodRivadavia America/Catamarca|-15788 -15408 -14400 -10800 -7200|1(-1khov.488)2(j5un.520)3(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp4(38d8)E(ayo4)(6yk):V<2Q(h48)3(9ug)<V2(8g04)(1es)4(2nek)D
America/Argentina/Cordoba America/Cordoba America/Rosario|-15408 -14400 -10800 -7200|1(-11bu7.108)2(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp3(38d8)E(ayo4)(6yk):V<1Q(h48)2(9ug)<V(b4tg)D.Y
America/Argentina/Jujuy America/Jujuy|-15672 -15408 -14400 -10800 -7200|1(-1khov.372)2(j5un.636)3(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp4(38d8)E(ayo4)(6yk):2V3(hmw)V4(f1g)3(avs)<V(b4tg)D
America/Argentina/La_Rioja|-16044 -15408 -14400 -10800 -7200|1(-1khov.744)2(j5un.264)3(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp4(38d8)E(ayo4)(6yk):V<2(9p8)3(4yw)4(cak)Q<V2(8g04)(1es)4(2nek)D
America/Argentina/Mendoza America/Mendoza|-16516 -15408 -14400 -10800 -7200|1(-1khou.316)2(j5um.692)3(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp4(38d8)E(ayo4)(6yk):2V3(go8)U;(a7w)4<3(ad4)2(8fc4)P4(2g58)D
America/Argentina/Rio_Gallegos|-16612 -15408 -14400 -10800 -7200|1(-1khou.412)2(j5um.596)3(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp4(38d8)E(ayo4)(6yk):V<Q<Q<V2(8g04)(1es)4(2nek)D
America/Argentina/Salta|-15700 -15408 -14400 -10800 -7200|1(-1khov.400)2(j5un.608)3(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp4(38d8)E(ayo4)(6yk):V<2Q(h48)3(9ug)<V(b4tg)D
America/Argentina/San_Juan|-16444 -15408 -14400 -10800 -7200|1(-1khou.244)2(j5um.764)3(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp4(38d8)E(ayo4)(6yk):V<2(9p8)3(4yw)4(cak)Q<V2(8fxg)(42s)4(2kt8)D
America/Argentina/San_Luis|-15924 -15408 -14400 -10800 -7200|1(-1khov.624)2(j5un.384)3(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp4(38d8)E(ayo4)(6yk):2(b3w)3(fxk)U(6tg)(9rp8)(42s)4(2kt8)(1mk)2(3k4).Y.
America/Argentina/Tucuman|-15652 -15408 -14400 -10800 -7200|1(-1khov.352)2(j5un.656)3(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp4(38d8)E(ayo4)(6yk):V<2Q(h48)3(9ug)<V2(8g04)(w4)4(2nx8)D.Y
America/Argentina/Ushuaia|-16392 -15408 -14400 -10800 -7200|1(-1khou.192)2(j5um.816)3(7yda.792)L(elg)(a7w)^K^K^K^L^K^K^K^L(91g)(puk)(91g)(1cik)(5k4)(1sak)(fus)(crx8)(5k4)D;U;U;(cik)pvpnp4(38d8)E(ayo4)(6yk):V<Q<Q<V2(8fus)(1k4)4(2nek)D
America/Asuncion|-13840 -14400 -10800|1(-sqa9.340)2(uso0.560)(14ik)(14lg)(b98)(fus)(b6k)(fus)(b6k)(fus)ntrtntntntrtntntntrtn(f44)(bx8)tn(dxg)Y(g5g)(d3w)(dms)(b18)(g04)(ayk).(b98)(g84)V:Y.d+d+d.na,f&!Y.Y.Y:V:V:kmvmvpi!i!i!kxkxk!i!i!kxkxkxk!
America/Bahia|-9244 -10800 -7200|1(-1633q.244)2(dcbx.656)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(io4)F_I(io4)I^G_E_M@M@I@Q(h6s)(at8):Q:Y:Q@M_F(6idg)Q
America/Bahia_Banderas|-25260 -25200 -21600 -18000|1(-102n8)2(4340)(2kvw)(cas)dt(7k7w)(14jsc)#h#h#h&f&xYx#h#h&f&f&f&h#h#3h2(fjs)f&f&h#h#h#h&f&f&h#h#h&f&
America/Barbados|-14309 -14400 -10800 -12600|1(-17ukx.809)2(n11g.91)(9xg)(i2k)P3(g58)c2(om5c)G!i!i(f1g)(bp8)
America/Belem|-11636 -10800 -7200|1(-1633o.836)2(dcbv.64)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F
America/Belize|-21168 -21600 -19800 -18000|1(-17ei1.468)2(4w80.432)N?R(h42)R(h42)R?N?N?R(h42)R(h42)R(h42)R?N?N?R(h42)R(h42)R?N?N?N?R(h42)R(h42)R?N?N?R3(9uq)(2luk)2(1cqs)R(h42)R(h42)R?N?N?R(h42)R(h42)R(h42)R?N?N?R(h42)R(h42)R?N?N?N?R(h42)R(h42)R?N3(4dc2)(4vw)(6nk4)(458)
America/Boa_Vista|-14560 -14400 -10800|1(-1633k.160)2(dcbv.740)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(8r9g)Y:(ik)
America/Bogota|-17776 -18000 -14400|1(-15ey5.676)2(1m76o.224)(kt8)
America/Boise|-27889 -28800 -25200 -21600|1(-1spxs)2(pto8)&f&(2nxg)3(e36k)}(g7us)npnpnpnpvpnpn(79g)(jp8)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.3 11.1.0.7200.2
America/Cambridge_Bay|0 -25200 -21600 -18000|1(-11ktc)2(gm6c)}(jz6s)npnpnpnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h3(qyk)(g2c)1(qgc)h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.1
America/Campo_Grande|-13108 -14400 -10800|1(-1633m.508)2(dcbx.392)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(io4)F_I(io4)I^G_E_M@M@I@Q(h6s)(at8):Q:Y:Q@M_F^I(jc4)(858)@M_G<M^I^M@M@Q@I^I^M@M@M@M_F
America/Cancun|-20824 -21600 -18000 -14400|1(-102nc)2(192w8)(rp0)(9yoc)#h3(qyk)I1(684)h&f&xYx#h#h&f&f&f&h#h#h&f&f&h#h#(79g)
America/Caracas|-16064 -16060 -16200 -14400|1(-1o4cv.764)2(gm7z.896)3(13qw0.140)(w9my)(6b40)
America/Cayenne|-12560 -14400 -10800|1(-17yvn.860)2(169xe.40)
America/Chicago US/Central|-21036 -21600 -18000|1(-1spy0)2(pto8)&f&<Va,pY.d+d+d+d+d.d+d+d+d+d.Y.d+df(j6k)hd+d.Y.d+d(9xg)}+d+d+d+d.Y.d+d+d+d+vpnpnpnpnpvpnpnpnpnpvmvpnpnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.1
America/Chihuahua|-25460 -25200 -21600 -18000|1(-102n8)2(4340)(2kvw)(cas)dt3(1c404)#h#1{h&f&xYx#h#h&f&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f
America/Ciudad_Juarez|-25556 -25200 -21600 -18000|1(-102n8)2(4340)(2kvw)(cas)dt3(1c404)#h#1{h&f&xYx#h#h&f&f&f&h#h#X=P=P=P=P=P=T=P=P=P=P=T=P(jec)|3.8.0.7200.2 11.1.0.7200.1
America/Costa_Rica|-20173 -21600 -18000|1(-10sne.373)2(17o81.527)E(jpg)E(7zpg)(c2k)(ew4)(47w)
America/Coyhaique|-17296 -16965 -18000 -14400 -10800|1(-1o4ct.196)2(f1pb.569)(4v41.135)3(1nby.765)(lrx.135)(651e.765)2(frx.135)c(fp8)c(fp8)c(fp8)c(frw)c(7bp8)(4is)(3i7w)(3s0)4(g4g0)Y@M!d+d.Y(f1g)(bx8).Y.d+d+d.Y.Y.d+d+d+d.Y.Y.npd+d.Yxk.d+d+d+d.Y.i!d!vxd.Y.Y.Y.d+d+d.Y.i!d+kx&(7s4)(inw)P=T(h3w)T(19mk)(6qs)(k7w)(6qs)(k7w)(6qs)=f&f&f&h#f,f
America/Cuiaba|-13460 -14400 -10800|1(-1633m.860)2(dcbx.40)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(io4)F_I(io4)I^G_E_M@M@I@Q(h6s)(at8):Q:Y:Q@M_F(1aas)(858)@M_G<M^I^M@M@Q@I^I^M@M@M@M_F
America/Danmarkshavn|-4480 -10800 -7200 0|1(-145jw.880)2(1bv73.20)(cy8)ooooooowooooooooooowoooooooooo3(7c8)
America/Dawson|-33460 -32400 -28800 -25200|1(-1g4pn.160)2(d9hi.740)y+(buc)(gqoc)}3(epek)w2(6080)3(4vs4)npnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T=P=P=T=P=P=P=P=P=T=P=P=P=P
America/Dawson_Creek|-28856 -28800 -25200|1(-1smps.56)2(prhj.844)y(hi2s)}(16is)d+d+d.Y.d+d+d+d+d.d+d+d+d+d.Y.npnpnpvmvpnpnpnpnpvp
America/Denver America/Shiprock Navajo US/Mountain|-25196 -25200 -21600|1(-1spxw)2(pto8)&f&f,a(458)(fklg)}(epes)vmvpnpnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.1
America/Detroit US/Michigan|-19931 -21600 -18000 -14400|1(-1cukq.131)2(7sg9.769)3(k3h8)}(1xhg)d(e2ak.60)(a5f.840)pn(3dus)nC(lrw)pnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.3 11.1.0.7200.2
America/Edmonton America/Yellowknife Canada/Mountain|-27232 -25200 -21600|1(-1blj6.232)2(8qat.668)y(cg4)(398)(oqs)vmd.Y.d(dstg)}(16is)d(ih9g)npnpnpnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T=P=P=T=P=P=P=P=P=T=P=P=P=P=T=P=P=P=P=P
America/Eirunepe|-16768 -18000 -14400|1(-1633i.568)2(dcbx.332)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(4a04)M(as04)(41jw)
America/El_Salvador|-21408 -21600 -18000|1(-10top.708)2(1duo0.192)Y.Y
America/Fort_Nelson|-29447 -28800 -25200|1(-1smps.647)2(prhj.253)y(hi2s)}(16is)d+d+d.Y.d+d+d+d+d.d+d+d+d+d.Y.npnpnpvmvpnpnpnpnpvpnpnpnpnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T=P=P=T=P=P=P=P=P
America/Fort_Wayne America/Indiana/Indianapolis America/Indianapolis US/East-Indiana|-20678 -21600 -18000 -14400|1(-1spy0)2(pto8)&f&(g9xg)E(9xg)}+d+d+d+d.Y.d+d+d+d+(1tuk)+3(89mk)npn(qmqs)&T|3.8.0.7200.3 11.1.0.7200.2
America/Fortaleza|-9240 -10800 -7200|1(-1633q.240)2(dcbx.660)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(io4)F_I(78tg)Y:(118)(qg4)M
America/Glace_Bay|-14388 -14400 -10800|1(-1erjl.888)2(bwaw.12)y(hi2s)}(5otg)d(dyys)npnpnpnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.1
America/Godthab America/Nuuk|-12416 -10800 -7200 -3600|1(-145jn.716)2(1bv6u.184)(cy8)ooooooowooooooooooowoooooooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z-Z-e*e*e*e-Z-Z-e*e*e-Z-Z3(rhc)|3.24.6.82800.3 10.25.0.0.2
America/Goose_Bay|-14500 -12652 -9052 -12600 -9000 -14400 -10800 -7200|1(-1smq8.100)2(prhh.852)y3(ccak)4(u7z.848)Y.Y.Y:V:Y.Y.(2jpg):Y.Y.Y.Y:Y(f1g)d+d+d+d+d.d+d+d+d+vpnpnpnpnpv5(a04)6(2yq)vpnpnpnpnpvpnpnpnpnpvmvpnpnpnpnpvmvpnpnpn(bx8.60)#7h(fjs)6(bew)&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T=P=P=T=P(hmr.840)|3.8.0.7200.6 11.1.0.7200.5
America/Grand_Turk|-17072 -18430 -18000 -14400|1(-1o4cu.872)2(glep.458)3(1ej6v.470)npnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T=P=P=T=P=P=P=P=P(2r18)|3.8.0.7200.3 11.1.0.7200.2
America/Guatemala|-21724 -21600 -18000|1(-12ico.124)2(15fun.776)(6qk)(6xus)(96k)(5mw4)i(b084)d
America/Guayaquil|-19160 -18840 -18000 -14400|1(-1o4cr.260)2(ut6n.580)3(1aiyn.60)(53w)
America/Guyana|-13959 -14400 -13500 -10800|1(-17wkx.459)2(2ow0.441)3(19enz)1(ciqp)
America/Halifax Canada/Atlantic|-15264 -14400 -10800|1(-1erjk.864)2(ad9b.36)r(15ho)y(15h8)G(iis)(918)(hk4)(9h8)(i04)L(i04)(9x8)(h1g)(ayk)(h1g)K(h1g)(ayk)(h1g)I^(8fw)(iis)(9ek)(hk4)(afw)(g04)(ayk)(g04)(bh8)(h1g)I_K^F(h1g)(ayk)(g04)(ayk)[K(gis)(ayk)(g04)(ayk)(9v0)}+d+d+d+d(171g)d+d+d+d(171g)d+d+d+d(1y04)npnpnpvmvpnpnpnpnpvpnpnpnpnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.1
America/Havana Cuba|-19768 -19776 -18000 -14400|1(-1o4cr.868)2(qpo0.8)3(269a.24)(918)(8r1g)(6qk)(k84)E(k84)(6qk)(225g)(6qk)(k84)(6qk)(e39g)L(hus)M(dxg)(bh8).Y<npnpvp(bx8)(f1g)(bzw)(eys)(c2k)(ew4)npvmvxdh&f&+d+d+d+(bx8)(f1g)(bx8)f&f&h#h#mymwlwlwlwlwooowj*e-e*e*g%g%e(1y00)S(h40)W/S(h40)W(h40)W>W-O>O>O>S>O>O>O>O>S>O>O>O>O>O(1940)|3.8.0.0.3 11.1.0.3600.2
America/Hermosillo|-26632 -25200 -21600|1(-102n8)2(4340)(2kvw)(cas)dt(7k7w)(14jsc)#h#h#
America/Indiana/Knox America/Knox_IN US/Indiana-Starke|-20790 -21600 -18000|1(-1spy0)2(pto8)&f&(gr44)}(16is)d+d+d.Y.d+d+d+d+vpnpd+d+npvpnp(14fw)(2mw4)npnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h(bp18)T|3.8.0.7200.2 11.1.0.7200.1
America/Indiana/Marengo|-20723 -21600 -18000 -14400|1(-1spy0)2(pto8)&f&(gr44)}(46w4)d(1xhg)d+d.d+d+d+d+d.3(607w)npnpvpnpn(zs4)(i58)(mves)&T|3.8.0.7200.3 11.1.0.7200.2
America/Indiana/Petersburg|-20947 -21600 -18000 -14400|1(-1spy0)2(pto8)&f&(gr44)}(7798)a.d+d+d+d+d.npnpnpnp(14yk)pnpnpnpnpvpnpnC(lrw)(8tg)(i58)pvm(m6ik)T3(qyk)|3.8.0.7200.3 11.1.0.7200.2
America/Indiana/Tell_City|-20823 -21600 -18000 -14400|1(-1spy0)2(pto8)&f&(gr44)}(7798)a.d+d+d+d+d.npnpnp(2mvw)pn3p2(dh4)pn1(r2as)T|3.8.0.7200.2 11.1.0.7200.1
America/Indiana/Vevay|-20416 -21600 -18000 -14400|1(-1spy0)2(pto8)&f&(gr44)}(6fs4)3(b9zw)npnpvpn(p4as)&T|3.8.0.7200.3 11.1.0.7200.2
America/Indiana/Vincennes|-21007 -21600 -18000 -14400|1(-1spy0)2(pto8)&f&(gr44)}+d(4xus)d+d,a.d+d+d+d+vpY.npnp3(3rbw)npn1(r2as)T3(qyk)|3.8.0.7200.3 11.1.0.7200.2
America/Indiana/Winamac|-20785 -21600 -18000 -14400|1(-1spy0)2(pto8)&f&(gr44)}+d+d+d+d.Y.d+d+d+d+vpnpd+d+d+d.3(607w)npn1(r2as)3T|3.8.0.7200.3 11.1.0.7200.2
America/Inuvik|0 -28800 -25200 -21600|1(-crxc)2(eix4)npnpnpnpvmvpn3p2(dh4)pnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T=P=P=T=P=P=P=P=P=T=P=P=P=P=T=P=P=P=P=P
America/Iqaluit America/Pangnirtung|0 -14400 -18000 -21600|1(-kluo)2(2dnc)(jz6s)npnpnpnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h3&2(bew)1(qyk)&h#h#h&f&f&T|3.8.0.7200.1 11.1.0.7200.2
America/Jamaica Jamaica|-18430 -18000 -14400|1(-17iy4.430)2(1ajk7.470)(lrw)(8tg)(i58)pvmvpnpnpnpnpvmv
America/Juneau|54139 -32261 -28800 -25200 -32400|1(-24t3y.73)2(oofl.688)3(v61g.139)}(hps4)npnpvpnpnC(lrw)(8tg)(i58)pvmvpnpn(14g4)npvm4v2qnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.4
America/Kentucky/Louisville America/Louisville|-20582 -21600 -18000 -14400|1(-1spy0)2(pto8)&f&(14ys)(93w)(erpg)d(9xg)}(fjw.60)(2lf.840)(2xs4)Y.d+d+d+d+d.npnpnpnpvp3(5998)npnpnpvpnpn(zs4)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.3 11.1.0.7200.2
America/Kentucky/Monticello|-20364 -21600 -18000 -14400|1(-1spy0)2(pto8)&f&(gr44)}(gytg)npnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f3(qyk)&h#h#h&f&f&T|3.8.0.7200.3 11.1.0.7200.2
America/La_Paz|-16356 -12756 -14400|1(-spwu.156)2(bp8)
America/Lima|-18492 -18516 -18000 -14400|1(-1o4cs.492)2(dydc.24)3(m47z.384)(6nw)(d44)npn(yeg4)(6nw)(kdg)(6nw)(22is)(6nw)(2tk4)(6nw)
America/Los_Angeles US/Pacific|-28378 -28800 -25200|1(-1spxs)2(pto8)&f&(gr44)}(1udg.60)(lp7.840)(zuo)Z-e*e*e*e*e-e*e*e*e*e-Z-oooooowlwpnpnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.1
America/Maceio|-8572 -10800 -7200|1(-1633r.472)2(dcby.428)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(io4)F_I(49hg)I(2qis)Y:(118)(qg4)M
America/Managua|-20708 -20712 -21600 -18000|1(-1o4cp.8)2(xf6o.4)3(t79c.888)(1cl8)(32g4)(7bw)(jms)(7bw)(8nsk)(jrg)(7c4)(307w)(67s4)k(fkc)(beg)
America/Manaus Brazil/West|-14404 -14400 -10800|1(-1633k.4)2(dcbv.896)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(4a04)M
America/Martinique|-14660 -14400 -10800|1(-183e8.260)2(1ft1b.640)k
America/Matamoros|-23400 -21600 -18000|1(-102nc)2(1dsiw)&(5l6s)#h#h#h&f&xYx#h#h&f&f&f&h#h#X|3.8.0.7200.2 11.1.0.7200.1
America/Mazatlan Mexico/BajaSur|-25540 -25200 -21600|1(-102n8)2(4340)(2kvw)(cas)dt(7k7w)(14jsc)#h#h#h&f&xYx#h#h&f&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&
America/Menominee|-21027 -21600 -18000|1(-1rcbd.327)2(og1k.573)&f&(gr44)}+d(epes)v(1ves)(3duk)C(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.1
America/Merida|-21508 -21600 -18000|1(-102nc)2(192w8)(n18)(a3c4)#h#h#h&f&xYx#h#h&f&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&
America/Metlakatla|54822 -31578 -28800 -25200 -32400|1(-24t3y.73)2(oofl.5)3(v61g.822)}(hps4)npnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmv4(o1xg)T=P=P(nbw)|3.8.0.7200.2 11.1.0.7200.4
America/Mexico_City Mexico/General|-23796 -25200 -21600 -18000|1(-102n8)2(4340)(2kvw)(cas)dt3(5598)V(13hg)(8d8)(219g)U(4cis)i(yc5o)#h#h#h&f&xYx#h#h&f&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&
America/Miquelon|-13480 -14400 -10800 -7200|1(-1802a.880)2(1frk1.20)3(57es)#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.3 11.1.0.7200.2
America/Moncton|-15548 -18000 -14400 -10800|1(-1sofj.248)2(dww2.652)3(bwas)y(azmo)(6qk)(k84)(6qk)(k84)(6qk)(k84)(6qk)(k84)(6qk)(k84)(6qk)(jms)I(hpg)(998)(go4)(at8)(a08)}+d+d+d+d.Y.d+d+d+d+d.d+npnpnpvpnpnpnpnpvmvpnpnpnpnpvpn(14g4)npnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#(bx8.60)&f&f&h#h#h#h&f&f&h#h#h&f&f&(9uz.840)|3.8.0.7200.3 11.1.0.7200.2
America/Monterrey|-24076 -25200 -21600 -18000|1(-102nc)2(4344)(2kvw)(cas)dt3(1639g)&(5l6s)#h#h#h&f&xYx#h#h&f&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&
America/Montevideo|-13491 -14400 -10800 -12600 -9000 -7200 -5400|1(-11bua.891)2(2kg1.9)3r(dk2)(dha)(dk2)(dha)(5p1e)(bem)(fk2)(bem)(fk2)(bem)(fk2)(bem)(g2q)(avy)(g2q)(avy)(e02)(dha)(fk2)(bem)(96q)4(111a)(6ny)(c65e)(cym)5(4o2)(3mk)(3tes)k4(205g)(dxa)5(11s2)(3p8)(1eas)(67w)6(14g4)4(456)2m5(8aq)E(1ao4)D(k84)(6qk)(l9g)D(45g)(nuk)(5tk4)(5mk)(l9g)(67w)@I@Q@M<Q(8oo4)x!d(f1g)(bx8)+d+d+(bx8)(f1g)(bx8)(f1g)(bx8)+d+d+d
America/New_York US/Eastern|-17762 -18000 -14400|1(-1spy4)2(pto8)&f&f,md.Y.d+d+d+d+d.d+d+d+d+d.Y.d+d+d+d+d.Y.d+d(9xg)}+d+d+d+d.Y.d+d+d+d+vpnpnpnpnpvpnpnpnpnpvmvpnpnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.1
America/Nome|46702 -39698 -39600 -36000 -32400 -28800|1(-24t3y.73)2(oofu.25)3(v61j.802)}(hps4)npnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvm4v5nnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.5 11.1.0.7200.4
America/Noronha Brazil/DeNoronha|-7780 -7200 -3600|1(-1633s.580)2(dcbv.320)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(io4)F_I(78tg)Y:(ik){M
America/North_Dakota/Beulah|-24427 -25200 -21600 -18000|1(-1spxw)2(pto8)&f&(gr44)}(g7us)npnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T=P=P=T3(qyk)|3.8.0.7200.3 11.1.0.7200.2
America/North_Dakota/Center|-24312 -25200 -21600 -18000|1(-1spxw)2(pto8)&f&(gr44)}(g7us)npnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h3(qyk)&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.3 11.1.0.7200.2
America/North_Dakota/New_Salem|-24339 -25200 -21600 -18000|1(-1spxw)2(pto8)&f&(gr44)}(g7us)npnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h3(qyk)&f&f&T|3.8.0.7200.3 11.1.0.7200.2
America/Ojinaga|-25060 -25200 -21600 -18000|1(-102n8)2(4340)(2kvw)(cas)dt3(1c404)#h#1{h&f&xYx#h#h&f&f&f&h#h#X=P=P=P=P=P=T=P=P=P=P=T=P3(qyk)|3.8.0.7200.3 11.1.0.7200.2
America/Panama America/Atikokan America/Cayman America/Coral_Harbour EST|-19088 -19176 -18000|1(-1o4cr.188)2(dr6o.88)
America/Paramaribo|-13240 -13252 -13236 -12600 -10800|1(-18caa.640)2(i1c0.12)3(82tb.884)4(tb6n.264)
America/Phoenix America/Creston MST US/Arizona|-26898 -25200 -21600|1(-1spxw)2(pto8)&f&(gr44)(1f6c.60)(6qs)r(gytn.840)n
America/Port-au-Prince|-17360 -17340 -18000 -14400|1(-1o4ct.260)2(kc6n.880)3(1dtao.660)kpnpnpnpn(bxk)*e*e*g%g%g*e*e*g%g%(5l6k)&f&(4170)=P=P=P=(10tg)|3.8.0.7200.3 11.1.0.7200.2
America/Porto_Velho|-15336 -14400 -10800|1(-1633j.36)2(dcbu.864)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F
America/Puerto_Rico America/Anguilla America/Antigua America/Aruba America/Blanc-Sablon America/Curacao America/Dominica America/Grenada America/Guadeloupe America/Kralendijk America/Lower_Princes America/Marigot America/Montserrat America/Port_of_Spain America/St_Barthelemy America/St_Kitts America/St_Lucia America/St_Thomas America/St_Vincent America/Tortola America/Virgin|-15865 -14400 -10800|1(-1h6gv.565)2(wdym.335)(2kas)
America/Punta_Arenas|-17020 -16965 -18000 -14400 -10800|1(-1o4cu.820)2(f1pb.845)(4v41.135)3(1nby.765)(lrx.135)(651e.765)2(frx.135)c(fp8)c(fp8)c(fp8)c(frw)c(7bp8)(4is)(3i7w)(3s0)4(g4g0)Y@M!d+d.Y(f1g)(bx8).Y.d+d+d.Y.Y.d+d+d+d.Y.Y.npd+d.Yxk.d+d+d+d.Y.i!d!vxd.Y.Y.Y.d+d+d.Y.i!d+kx&(7s4)(inw)P=T(h3w)T(19mk)(6qs)
America/Rankin_Inlet|0 -21600 -18000|1(-9rpc)2(biow)npnpnpnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f(16ik)h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.1
America/Recife|-8376 -10800 -7200|1(-1633r.276)2(dcby.624)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(io4)F_I(78tg)Y:(ik){M
America/Regina Canada/Saskatchewan|-25116 -25200 -21600|1(-1cckl.816)2(9hc8.84)y(8nmk)d+d+d.Y.d(1vxg)npkxnxnpn(8wc)}!n!d+d+d.Y.d+d+d+d+d.d+d(16is)np
America/Resolute|0 -21600 -18000|1(-gsdc)2(ijcw)npnpnpnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f(16ik)h#h#h&f&f(1718)|3.8.0.7200.2 11.1.0.7200.1
America/Rio_Branco America/Porto_Acre Brazil/Acre|-16272 -18000 -14400|1(-1633i.72)2(dcbx.828)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(fbc4)(41jw)
America/Santarem|-13128 -14400 -10800|1(-1633m.528)2(dcbx.372)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(83hg)(658)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(fbc4)
America/Santiago Chile/Continental|-16965 -18000 -14400 -10800|1(-192ni.765)(4v41.135)2(1nby.765)(lrx.135)(651e.765)1(frx.135)c(fp8)c(fp8)c(fp8)c(frw)c(7bp8)(4is)3(2yyk)(3bw)1(fxg)(3s0)3(g4g0)Y@M!d+d.Y(f1g)(bx8).Y.d+d+d.Y.Y.d+d+d+d.Y.Y.npd+d.Yxk.d+d+d+d.Y.i!d!vxd.Y.Y.Y.d+d+d.Y.i!d+kx&(7s4)(inw)P=T(h3w)T(19mk)(6qs)(k7w)(6qs)(k7w)(6qs)=f&f&f&h|4.2.0.0.2 9.2.0.0.3
America/Santo_Domingo|-16776 -16800 -18000 -14400 -16200|1(-1o4cu.576)2(wi1c.24)3(p8hd.300)L4(1zxg)(8qm)(i82)(6fy)(l1e)(62m)(kw2)(67y)(kqq)(6am)3(ko2)(jjms)(2lc)
America/Sao_Paulo Brazil/East|-11188 -10800 -7200|1(-1633o.388)2(dcbv.512)(ddc)(dpg)(dbw)(ciys)(a2o)(gyo)L[(918)[(6nw)(8004)(9mk)(ow4)(4fw)[(6o0)]K^L(da5g)Q:G(iqs)F(io4)F_I(io4)I^G_E_M@M@I@Q(h6s)(at8):Q:Y:Q@M_F^I(jc4)(858)@M_G<M^I^M@M@Q@I^I^M@M@M@M_F
America/Scoresbysund|-5272 -7200 -3600 0|1(-145jv.772)2(1bv6y.128)l3(dh4)2nooooowooooooooooowoooooooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z-Z-e*e*e*e-Z-Z-e*e*e-Z-Z-1(qyo)|3.24.6.82800.2 10.25.0.0.1
America/Sitka|53927 -32473 -28800 -25200 -32400|1(-24t3y.73)2(oofm)3(v61f.827)}(hps4)npnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvm4v2qnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.4
America/St_Johns Canada/Newfoundland|-12652 -9052 -12600 -9000 -5400|1(-13mq2.52)(bzw)(fhg)y(e54)(7bw)(jk4)npnxkxkxkxkxnpnxkxkxkxkxnxkxk2(b9k)3(2qj.848)k(eiw)Y.Y.Y:V:Y.Y.(2jpg):Y.Y.Y.Y:Y(f1g)d+d+d+d+d.d+d+d+d+vpnpnpnpnpvmvpnpnpnpnpvpnpnpnpnpvmvpnpnpnpnpvmvpnpnpn(bx8.60)#4h(fjs)3(bew)&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T=P=P=T=P(hmr.840)|3.8.0.7200.3 11.1.0.7200.2
America/Swift_Current|-25880 -25200 -21600|1(-1cckk.680)2(9hc7.220)y(hi2s)}+i!d+d+d(5pc4)n(14g4)npd.Y(7yqs)
America/Tegucigalpa|-20932 -21600 -18000|1(-10n0p.232)2(1do00.668)Y.Y(d8is)(6t8)
America/Thule|-16508 -14400 -10800|1(-145ji.308)2(1k4at.592)npnx&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.1
America/Tijuana America/Ensenada America/Santa_Isabel Mexico/BajaNorte|-28084 -25200 -28800|1(-102n8)2(1i2o)(2l1g)(2kvw)(a5g)n(7xus)(2od8)(1slg)(l18)(yys)(at8)(g30)d+d*e*e*e-e*e*e*e*e-Z-oooooowlwpnpnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&f&h#h#X|3.8.0.7200.1 11.1.0.7200.2
America/Toronto America/Montreal America/Nassau America/Nipigon America/Thunder_Bay Canada/Eastern|-19052 -18000 -14400|1(-1kd3f.152)2(hhuu.748)y(bh6)(fha)(e0c)(avo)(h4c)(93w)(hus)M@M<V:V:V:Y.d+d+d+d.Y.d+d+d+d+d+d.Y.(42qk)+d+d+d+,f&fd+d+d+d+d.d+npnpnpvpnpnpnpnpvmvpnpnpnpnpvpnpnpnpnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.2 11.1.0.7200.1
America/Vancouver Canada/Pacific|-29548 -28800 -25200|1(-1smps.748)2(prhj.152)y(hi2s)}+d+d+d+d.Y.d+d+d+d+d.d+d+d+d+d.Y.npnpnpvmvpnpnpnpnpvpnpnpnpnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T=P=P=T=P=P=P=P=P=T=P=P=P=P=T=P=P=P=P=P
America/Whitehorse Canada/Yukon|-32412 -32400 -28800 -25200|1(-1g4po.12)2(d9hj.888)y+(buc)(gqoc)}3(epek)w2J3(an6s)npnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T=P=P=T=P=P=P=P=P=T=P=P=P=P
America/Winnipeg America/Rainy_River Canada/Central|-23316 -21600 -18000|1(-1pz0n.816)2(lmda.84)Y(16j0)y(dxxg)Q(3aas)}:d!d+d+d(g5g)(b98)(fms)d+d+d+d+d.d+d+d+npd(1y04)Y(1y04)wooooooooowooooooooowlwooooooooowlwoooooog%g*e*e*g%g%g*e*e*g%g%g%g*e*e*g%g%g*e*e&T=P=P=T=P=P=P=P=P=T=P=P=P=P=T=P=P=P=P=P
America/Yakutat|52865 -33535 -32400 -28800|1(-24t3y.73)2(oofn.162)3(v61i.665)}(hps4)npnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.3 11.1.0.7200.2
Antarctica/Casey|0 28800 39600|1(-r1c)2(unoo)(a7o)(18lo)(8nw)(3i7w)(11es)(fkc)(bww)(ewc)(bjo)(fk0.60)(bwz.840)(f1o.60)(bwz.840)(f1o.60)(bpb.840)
Antarctica/Davis|0 25200 18000|1(-9qtc)(5v0k)(3724)2(ule4)(ao4)(1858)(8o4)
Antarctica/Macquarie|0 36000 39600|1(-1gqdc)2(cpls)l0(1il4)(ls6g)2(eo1s)o*S(h40)S(h40)W(h40)J]O>O>O>S>O>O>O>O>O>e-Z-O>O>O(h40)Z/Z/W/W/ewlwlwlwlwowlwlwlwle*zlwlwlwlwoolzoooo(14g0)|4.1.0.10800.1 10.1.0.7200.2
Antarctica/Mawson|0 21600 18000|1(-bxpc)2(15ucw)
Antarctica/Palmer|0 -10800 -14400 -7200|1(-3r9c)2(4do);U;(cik)pvpnp3(38d8)E2(60g4)(c04)d+d.Y.Y.npd+d.Yxk.d+d+d+d.Y.i!d!vxd.Y.Y.Y.d+d+d.Y.i!d+kx&(7s4)(inw)P=T(h3w)T(19mk)(6qs)
Antarctica/Rothera|0 -10800|1(5740)
Antarctica/Troll|0 7200|1(qh9g)|3.25.0.3600.1 10.25.0.10800.0
Antarctica/Vostok|0 25200 18000|1(-91uo)(r5gk)(k8s)2(lw24)
Asia/Almaty|18468 18000 21600 25200|1(-ybkl.432)2(4m00.468)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-1(ej14)
Asia/Amman|8624 7200 10800|1(-tb6y.376)2(vvxd.524)(8nw)(fpg)b(fpg)b(fs4)u(des)b(fms)b(4vxg)r(dpg)npnpv(fs4)(b6k)(f1g)(bx8)(edg)(c2k)!kpnpi(f1g)g%jzjzj(l6o)(6ao)(dxc)s(deo)sooo*e%joo*e*e-Z-Z-e*e(1anw)(79g)-Z-e*e*e*e*e-Z-J
Asia/Anadyr|42596 43200 46800 50400 39600|1(-yblc.604)2(4lzz.296)3~r1(r1g)prtqooooooooooow4{H2Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*4(rhg)Z
Asia/Aqtau|12064 14400 18000 21600|1(-ybke.536)2(4lzx.364)3(12jek)(r18)prtqooooooooooow1{H3Boooo1o2pow*e*e*e-Z-Z-e*e*e
Asia/Aqtobe|13720 14400 18000 21600|1(-ybkg.680)2(4lzz.220)3~(14l8)prtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-
Asia/Ashgabat Asia/Ashkhabad|14012 14400 18000 21600|1(-ybkg.388)2(4lzz.512)3~rprprtqooooooooooow1{H
Asia/Atyrau|12464 10800 18000 21600 14400|1(-ybke.136)2(4m01.764)3(12jeg)(r18)prtqooooooooooow4{H3Booooooow*e*e*4(rhg)Z-Z-e*e*e
Asia/Baghdad|10660 10656 10800 14400|1(-1o4do.140)2(l1hc.4)3(1ccfz.756)b(des)utrp(des)ooooooooow(dk8)sssosososssosososssosososssososos
Asia/Baku|11964 10800 14400 18000|1(-ybke.636)2(oo81.264)3(i3mk)rprprtqooooooooooow1{o3(30dk)*d*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z-Z-e*e*e*
Asia/Bangkok Asia/Phnom_Penh Asia/Vientiane Indian/Christmas|24124 25200|1(-11e3f.176)
Asia/Barnaul|20100 21600 25200 28800|1(-11mgn.600)2(7wvy.300)3~rprprtqooooooooooow1{H3Boooooo(4no)1(8ts)w*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)(12dg)
Asia/Beirut|8520 7200 10800|1(-1vmyy.480)2(u8ld.420)(fmk)(bus)r(cw4)y!Y(p9pg)b(fpg)b(fpg)b(fs4)b(fpg)b(825g)(7h8)(fpg)b(fpg)b(fpg)b(fs4)b(fpg)b(fms)b(4744)i(elg)i(elg)i(elg)i(gys)U(f9g)(brw)(elg)i(elg)i(eo4)(bjw)mnpnpnxnpnpnp|3.25.0.0.2 10.25.0.0.1
Asia/Bishkek|17904 18000 21600 25200|1(-ybkk.96)2(4lzz.804)3~rprprtqooooooooooow1(otc)(gnw)i!i!i!i!k(dhq)&f&f,a,a,f&f&f,a
Asia/Brunei Asia/Kuching|26480 27000 28800 30000 32400|1(-wy3i.520)2(551b.380)3(211a)(6qm.600)(kdd.300)(6qm.600)(kap.300)(6qm.600)(kap.300)(6qm.600)(kap.300)(6qm.600)(kdd.300)(6qm.600)(kap.300)(6qm.600)4(4qp.300)(2ol8)
Asia/Chita|27232 28800 32400 36000|1(-11m3j.668)2(7wim.232)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z1(2oyk)2(12dk)
Asia/Colombo|19164 19172 19800 21600 23400|1(-1vmza.636)2(jjen.892)3(r2an.272)4(hpa)2(2ciu)(1216k)3(bem)2(745e)
Asia/Damascus|8712 7200 10800|1(-11ktm.288)2(809.612)i!i!i!k(sz9g)(bh8)(fpg)(b98)(fus)b(fpg)(b98)(f9g)(buk)(fpg)b(fs4)b(fpg)b(fpg)b(fpg)b(fs4)b(fpg)b(fpg)b(fpg)b(fs4)b(fpg)(93w)(hxg)(93w)(3gis)k(e5g)k(119g)(hek)(alg)(i2k)(a2s)(h18)(b6s)upnrr(e2s)(d18)(d1g)r(dxg)rprtr(des)u(dc4)(dp8)prtrprprprtrprp(cvw)x,f(fmk)(atg),f&f&f&f&f,a,a,f&f&f&f,a,a
Asia/Dhaka Asia/Dacca|21700 21200 23400 19800 21600 25200|1(-1o4e1.800)2(12w00.500)3(gql.500)(82s)4(6tmk)5(17dpa)(eg0)
Asia/Dili|30140 28800 32400|1(-17la8)2(mnjw)(pp40)(ibhg)
Asia/Dubai Asia/Muscat Indian/Mahe Indian/Reunion|13272 14400|1(-11ktr.228)
Asia/Dushanbe|16512 18000 21600 25200|1(-ybkj.588)2(4lzy.312)3~rprprtqooooooooooow1(phg)
Asia/Famagusta|8148 7200 10800|1(-1068a.852)2(1451d.48)n(g04)(b18)(cw4)kxr(des)nxkpnpnpnpvpnpnpnpnpnpvpnpnpnpnpnxnpnp(fkc)e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z-Z-e*e*e*e(171c)|3.25.0.10800.2 10.25.0.14400.1
Asia/Gaza|8272 7200 10800|1(-1g1my.728)2(tt6x.172)(91c)(3hc)(1gw0)(b6o)(fuo)(b9c)(fuo)(cao)(eqo)(cao)(eqo)(7wns)(anw)(fpg)b(fpk)(b9g)(fuk)(b9g)(frw)(b9g)(frw)(b9g)(frw)(b9g)(fuk)(b9g)(frw)(b9g)(frw)c(fp8)(2l4)(5bs4)ExQ(3p9g)(340)(2qio)H(h40)V_G(gas)(b6k)+Y@M(f1g)d+(bx8)+(bx8)(fes)(bjw)(fes)(b18)(fxg)(bjw)(fxg)jzjzj*nxnpnpnpnpjz(cqs)(d98)(cvw)(e5g)(c84)(el8)d+g(f40.60)(a57.840)(h9g.60)(917.840)(hxg)lwnp&(bhg)(fhc)(bhg),a,a,(bc0)(fmk)f*e(g00)(b1c)(g04)pnmv(cg4)yf&f,a,a,f&f&f,a,a,a,f#hy(cg4)npkx(bx8)(3ms)(ik)fYA(1jw)fVA(22k)fM(3ms)(2l8)fIA(458)aGA(4nw)aE(3ms)Bf(67w)A(67w)fB(3ms)(6qk)f(4nw)AGa(458)AIa(33w)(3ms)Mf(22k)AVf(118)(3ms)Yf(ik)(3ms)d!kpn(cg4)yh#f&f,a,a,a,f&f&f,a,a&hy(cg4)vmkxiA(ik)a(bx8)A(118)aY(3ms)(1jw)fQA(2l8)fI(3ms)(33w)fG(3ms)(458)aFABa(6qk)(3ms)DfDA(6qk)fBAEf(458)(3ms)Ff(3mk)AMa(2l8)(3ms)Qa(22k)(3ms)Vf(118)A|3.24.6.7200.2 10.24.6.7200.1
Asia/Hebron|8423 7200 10800|1(-1g1my.577)2(tt6x.323)(91c)(3hc)(1gw0)(b6o)(fuo)(b9c)(fuo)(cao)(eqo)(cao)(eqo)(7wns)(anw)(fpg)b(fpk)(b9g)(fuk)(b9g)(frw)(b9g)(frw)(b9g)(frw)(b9g)(fuk)(b9g)(frw)(b9g)(frw)c(fp8)(2l4)(5bs4)ExQ(3p9g)(340)(2qio)H(h40)V_G(gas)(b6k)+Y@M(f1g)d+(bx8)+(bx8)(fes)(bjw)(fes)(b18)(fxg)(bjw)(fxg)jzjzj*nxnpnpnpnpjz(cqs)(d98)(cvw)(e5g)(c84)(el8)(bmk)(fc4)g%(a7w)(h9g.60)(917.840)(25g)(2ak)plwnp&(bhg)(fhc)(bhg),a,a,(bc0)(fmk)f*e(g00)(b1c)(g04)pnmv(cg4)yf&f,a,a,f&f&f,a,a,a,f#hy(cg4)npkx(bx8)(3ms)(ik)fYA(1jw)fVA(22k)fM(3ms)(2l8)fIA(458)aGA(4nw)aE(3ms)Bf(67w)A(67w)fB(3ms)(6qk)f(4nw)AGa(458)AIa(33w)(3ms)Mf(22k)AVf(118)(3ms)Yf(ik)(3ms)d!kpn(cg4)yh#f&f,a,a,a,f&f&f,a,a&hy(cg4)vmkxiA(ik)a(bx8)A(118)aY(3ms)(1jw)fQA(2l8)fI(3ms)(33w)fG(3ms)(458)aFABa(6qk)(3ms)DfDA(6qk)fBAEf(458)(3ms)Ff(3mk)AMa(2l8)(3ms)Qa(22k)(3ms)Vf(118)A|3.24.6.7200.2 10.24.6.7200.1
Asia/Ho_Chi_Minh Asia/Saigon|25590 25200 28800 32400|1(-183fh.510)2(nsvw.390)3(1njw)1(co0)2(16o8)(676o)(3duk)(blxc)
Asia/Hong_Kong Hongkong|27402 28800 32400 30600|1(-1cza4)2(riw8)3(800)(6aa)1(2xhi)d(glq)S(h40)eoe*e*e*g*e&X(gl8)X(h3w)T(h3w)X(gl8)X(gl8)X(gl8)X(h3w)T(h3w)T(h3w)X(gl8)X(gl8)(cg4)npnpvpnpnpnpnpvpnC(lrw)pnpn(1xhg)(bx8)
Asia/Hovd|21996 21600 25200 28800|1(-1cewp.504)2(1ifc0.396)3(3xx8)rtnpnpnpnpnpnpvpnpnpnpnpnxnpnpn(1xxo)dpnpnpnpnpv(6dpg)(dh0)(dho)(dh0)
Asia/Irkutsk|25025 25200 28800 32400|1(-11j24.175)2(7thb.725)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)
Asia/Jakarta|25632 26400 27000 32400 28800 25200|1(-ykm6.600)2(6n1c)3(71zz.300)(2mt6)4(1yg6)(1i2m)5(a9uq)
Asia/Jayapura|33768 32400 34200|1(-rxl2.432)2(8w5d.468)(ej1a)
Asia/Jerusalem Asia/Tel_Aviv Israel|8454 8440 7200 10800 14400|1(-1vmyy.546)2(sk2o.14)3(gug9.340)(91c)(3hc)(1gw0)(b6o)(fuo)(b9c)(fuo)(cao)(eqo)(cao)(eqo)4(165c)3(7hc)2(4io)(deo)(dmo)(cao)(b9c)(eo0)/gole(k80)(6qo)(k80)(6qo)(jpc)J*Z(cm7s)ExQ(3p9g)(340)(2qio)H(h40)V_G(gas)(b6k)+Y@M(f1g)d+(bx8)+(bx8)(fes)(bjw)(fes)(b18)(fxg)(bjw)(edg)(dp8)(ds4)(d3w)(dus)(cl8)(ff0)d:(cyg)(dpg)i(ds4)(e7w)(cqs)v(dus)i(e5k)(e58)(ctg)u(dc4)(cl8)(edg)(e58)(ctg)u(dc4)(cl8)(ew4)u(dc4)(d3w)(dus)|3.23.5.7200.3 10.25.0.7200.2
Asia/Kabul|16608 14400 16200|1(-1o4dv.492)2(15c02.408)
Asia/Kamchatka|38076 39600 43200 46800|1(-zfij.624)2(5pxa.276)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*1(rhg)Z
Asia/Karachi|16092 19800 23400 18000 21600|1(-1bcj6.108)2(qsyj.792)(2cfw)3(4h6s)4(11yte)n(48ys)b(c84)(et8)
Asia/Kathmandu Asia/Katmandu|20476 19800 20700|1(-11ktz.224)2(1dlpc.676)
Asia/Khandyga|32533 28800 32400 36000 39600|1(-11m3p.767)2(7wis.133)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*(4yg)4(6g4)-Z-Z-Z-e*e*e-Z(cl0)2(2cdo)
Asia/Kolkata Asia/Calcutta|21208 21200 19270 19800 23400|1(-2et7c.392)2(bnpc.8)3(r1xe.130)4(qv6n.370)(gqk)(82s)(2cfw)
Asia/Krasnoyarsk|22286 21600 25200 28800|1(-11kgp.214)2(7uw0.686)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)
Asia/Kuala_Lumpur Asia/Singapore Singapore|24925 25200 26400 27000 32400 28800|1(-1cjfg.275)2(kqdb.625)3(6ify.600)4(cfz.300)(2ol6)5(ra84)
Asia/Macau Asia/Macao|27250 28800 32400 36000|1(-1cza7.650)2(rwyi.250)3(9mk)(evw)(c5g)b1(1i5k)(fpc)(bc0)(ew0)(go0)eo(bc0)*e*e(fmo)(buo)*e*W/W(h40)S(h4e)X(gl8)X(gl8)X(gl8)X(h3w)T(h3w)T(h3w)X(gl8)X(gl8)(cg4)(dh4)q(dh4)qvpnpnpnpnpvpnC(lrw)pnpn(1xhg)(bx8)
Asia/Magadan|36192 36000 39600 43200|1(-ybl5.708)2(4m00.192)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z1(2oyk)2(14g8)
Asia/Makassar Asia/Ujung_Pandang|28656 28800 32400|1(-rxkw.144)2(6yvz.756)(2px8)
Asia/Manila|-57368 29032 28800 32400|1(-2lxvl.668)2(153dc.232)3(rx5c)(5mk)(3oys)(2z3w)(6a84)(3zw)(h56s)(d6k)(9iis)(53w)
Asia/Nicosia Europe/Nicosia|8008 7200 10800|1(-10689.92)2(1451c.808)n(g04)(b18)(cw4)kxr(des)nxkpnpnpnpvpnpnpnpnpnpvpnpnpnpnpnxnpnp(fkc)|3.25.0.10800.2 10.25.0.14400.1
Asia/Novokuznetsk|20928 21600 25200 28800|1(-ybnc.672)2(4m2n.228)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*1(rhg)Z
Asia/Novosibirsk|19900 21600 25200 28800|1(-11m5b.800)2(7wkm.100)3~rprprtqooooooooooow1{H3Boo(450)1(9cg)oooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)(1b6s)
Asia/Omsk|17610 18000 21600 25200|1(-11odw.390)2(7ytb.510)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)
Asia/Oral|12324 10800 18000 21600 14400|1(-ybke.276)2(4m01.624)3(125ug)(14l8)prtqoooooooo4{owooH(io0)oooooow*e*e*e-Z-Z-e*e*e
Asia/Pontianak|26240 27000 32400 28800 25200|1(-rxku.760)2(6y2n.140)(2qqi)3(1yg6)(1i2m)(a9uq)4(i1by)
Asia/Pyongyang|30180 30600 32400|1(-1aerm.420)2(2thb.480)(25vha)(21mo)
Asia/Qatar Asia/Bahrain|12368 14400 10800|1(-11ktq.232)2(13e59.668)
Asia/Qostanay|15268 14400 18000 21600|1(-ybkh.32)2(4m00.868)3~(14l8)prtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e(ez3o)
Asia/Qyzylorda|15712 14400 18000 21600|1(-ybki.488)2(4m01.412)3~(14l8)prtqooooooooooow(z9c)(io0)oooooow*e*e*e-Z-Z-e*e*e(b2l0)
Asia/Rangoon Asia/Yangon Indian/Cocos|23087 23400 32400|1(-11ku2.313)2(gs5b.587)(29bq)
Asia/Riyadh Antarctica/Syowa Asia/Aden Asia/Kuwait|11212 10800|1(-h4z1.488)
Asia/Sakhalin|34248 32400 39600 43200 36000|1(-1cdaf.852)2(u2de.48)3(qr6g)rprprtqooooooooooow4{H3Booooooow*4{e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)(12dg)
Asia/Samarkand|16073 14400 18000 21600|1(-ybki.127)2(4m01.773)3~(14l8)prtqooooooooooowoo
Asia/Seoul ROK|30472 30600 32400 36000 34200|1(-1aerm.128)2(2thb.772)3(rd9a)(7p8)(eys)(bx8)(eys)(bzw)@M1(1wg4)4(ude)(9ek)(itg)Q.V:V:V:V2(o5g)3(jcli)e*e
Asia/Shanghai Asia/Chongqing Asia/Chungking Asia/Harbin PRC|29143 28800 32400|1(-1fuu9.557)2(dqio.343)(cnw)(fj6s)(9x8)c(h6k)(6o4)(2p18)(iw4)(aak)!(et8)pb(fpg)(1zw)(rr9o)Q+d.Y.d+d+d
Asia/Srednekolymsk|36892 36000 39600 43200|1(-ybl5.8)2(4m00.892)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)
Asia/Taipei ROC|29160 28800 32400|1(-1jm3l.540)2(vdhc.360)(5zpc)(hhc)(aak)!(et8)pb(fpg)b(fpg)b(fpg)b(b9g)(i58)(b6s)(fuk)(b6s)(fuk)(b6s)rtrprprpr[(918)(i04)(918)(9e5g)rpr(2tes)(6t8)
Asia/Tashkent|16631 18000 21600 25200|1(-ybkj.469)2(4lzy.431)3~rprprtqooooooooooow1{
Asia/Tbilisi|10751 10800 14400 18000|1(-ybkc.49)2(oo7z.851)3(i3mk)rprprtqooooooooooow1{(dh4)npnp3(qyk)nx(16ik)f&f,a,a,f&f&f(6qk)1(9cg)Z
Asia/Tehran Iran|12344 12600 16200 14400 18000|1(-pywe.256)2(ve7v.644)3(fs0)4(bhe)S1(79c)2(eiq)(8l8)(dms)(drw)(7yys)(aik)pu(des)u(des)u(des)u(des)upu(des)u(des)u(des)upu(des)u(des)u(des)upu(1vhg)upu(des)u(des)u(des)upu(des)u(des)u(des)upu(des)u(des)u(des)upu(des)u
Asia/Thimphu Asia/Thimbu|21516 19800 21600|1(-gtko.84)2(u5pd.816)
Asia/Tokyo Japan|33539 32400 36000|1(-1pmjo)2(19cao)S%g>O>O
Asia/Tomsk|20391 21600 25200 28800|1(-11lkn.309)2(7vzy.591)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e(2ao)1(d9g)e*e-Z-Z-Z-e*e*e-Z(2oyk)(171g)
Asia/Ulaanbaatar Asia/Choibalsan Asia/Ulan_Bator|25652 25200 28800 32400|1(-1cewt.448)2(1ifc0.452)3(3xx8)rtnpnpnpnpnpnpvpnpnpnpnpnxnpnpn(1xxo)dpnpnpnpnpv(6dpg)(dh0)(dho)(dh0)
Asia/Urumqi Asia/Kashgar|21020 21600|1(-vke0.580)
Asia/Ust-Nera|34374 28800 32400 43200 39600 36000|1(-11m3r.726)2(7wiu.174)3~4(djo)prprtqooooooooooow5{H3Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(cl0)5(2cdo)
Asia/Vladivostok|31651 32400 36000 39600|1(-zf50.749)2(5pjz.151)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)
Asia/Yakutsk|31138 28800 32400 36000|1(-11m3n.362)2(7wiq.538)3~rprprtqooooooooooow1{H3Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)
Asia/Yekaterinburg|14553 13505 14400 18000 21600|1(-147f5.747)2(2a0h.148)3(87u7.5)4~rprprtqooooooooooow2{H4Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)
Asia/Yerevan|10680 10800 14400 18000|1(-ybkc.120)2(oo7z.780)3(i3mk)rprprtqooooooooooow1{ooooooo3(1ifw)*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z-
Atlantic/Azores|-6160 -6872 -7200 -3600 0 3600|1(-1smqi.760)2(l1hd.140)3(3cqk)(a2s)(8w0)(gvw)(a5g)(gvw)(a5g)(gvw)(a84)(gvw)(a5g)(gvw)(1vs0)(co0)(15hc)jwlzlzj(15hc)joo(14yo)olwzjoolwz-(79c)(gqo)(dc0)s(buo)4(33w)H2CW4(2l8)S2(4o4)S4(33w)O2(4o4)S4(33w)O2(4o4)go(dho)oooooooowooooooooowooooooooooowooooooo4(c0fo)oooowooooooooooowoooo(6qs)5(6qk)(600)3(7hc)oooow|3.25.0.0.4 10.25.0.3600.3
Atlantic/Bermuda|-15558 -11958 -14400 -10800|1(-13mvj.258)(d6k)(eg4)(bh8)2(8hkc)3(91em.642)(kqk)f(gl8)T=P=(15hg)I(io4)F_F(jpg)E(jpg)E(jpg)F(2slg)d(d5es)npnpvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.3 11.1.0.7200.2
Atlantic/Canary|-3696 -3600 0 3600|1(-zyak.96)2(ih43.804)3(p6t4)mooooooowooooooooooowoooooooooow|3.25.0.3600.3 10.25.0.7200.2
Atlantic/Cape_Verde|-5644 -7200 -3600|1(-17l94)2(n1pc)(2cfw)(mmoc)
Atlantic/Faroe Atlantic/Faeroe|-1624 0 3600|1(-1akqn.724)2(1j0te.176)oooooowooooooooooowoooooooooow|3.25.0.3600.2 10.25.0.7200.1
Atlantic/Madeira|-4056 -3600 0 3600|1(-17l98)2(3cqk)(a2s)(8w0)(gvw)(a5g)(gvw)(a5g)(gvw)(a84)(gvw)(a5g)(gvw)(1vs0)(co0)(15hc)jwlzlzj(15hc)joo(14yo)olwzjoolwz-(79c)(gqo)(dc0)s(buo)3(33w)H1CW3(2l8)S1(4o4)S3(33w)O1(4o4)S3(33w)O1(4o4)go(dho)oooooooowooooooooowooooooooooowooooooo3(c0yc)looowooopooooooowoooooooooow|3.25.0.3600.3 10.25.0.7200.2
Atlantic/South_Georgia|-8768 -7200|1(-1o4d3.668)
Atlantic/Stanley|-13884 -14400 -10800 -7200|1(-17fzl.384)2(j71c.516)kxk!kxkxkx(73w)(ub44)3Y,X(gl8)1(qg4)a,a,a,a(gl8)X(gl8)a,a,a,a,a(gl8)a,a,a,a,a.X(h3w)T(h3w)X(gl8)X(gl8)X(gl8)X(gl8)X(h3w)X(gl8)X(gl8)X
Australia/Adelaide Australia/South|33260 32400 34200 37800|1(-1kaud.40)2(36tc.860)3(da2u)(65c)(im80)(6g0)oowl(kqo0)J]O>O>O>S>O>O>O>O>O>S>O>O>O>W-Z/Z/W/W/O>Z-S>W/Z-e*e*e*e-Z-Z-e*e*e-Z-e*Z-|4.1.0.10800.2 10.1.0.7200.3
Australia/Brisbane Australia/Queensland|36728 36000 39600|1(-1kd55.172)2(gj6w.728)(65c)(im80)(6g0)oowl(kqo0)J(da2o)O>O>O
Australia/Broken_Hill Australia/Yancowinna|33948 36000 32400 34200 37800|1(-1kaue.252)2(1659.648)3(20o4)4(da2u)(65c)(im80)(6g0)oowl(kqo0)J]O>O>O>S>O>O>O>O>O>g*O>O>O>W-Z/Z/W/O>O>O>S>O>O>e*e*e*e-Z-Z-e*e*e-Z-e*Z-|4.1.0.10800.3 10.1.0.7200.4
Australia/Darwin Australia/North|31400 32400 34200 37800|1(-1kaub.100)2(36ta.800)3(da2u)(65c)(im80)(6g0)oowl
Australia/Eucla|30928 31500 35100|1(-1joeb.572)2(fug7.328)(65c)(im80)(6g0)oo(nqio)O(6idc)O(5sg0)(7s0)(b39c)H-e*e
Australia/Hobart Australia/Currie Australia/Tasmania|35356 36000 39600|1(-1jv54.644)2(fudj.256)l-O>O(h5uo)(6g0)oowl(ho80)o*S(h40)S(h40)W(h40)J]O>O>O>S>O>O>O>O>O>e-Z-O>O>O(h40)Z/Z/W/W/ewlwlwlwlwowlwlwlwle*zlwlwlwlwoolz|4.1.0.10800.1 10.1.0.7200.2
Australia/Lindeman|35756 36000 39600|1(-1kd54.244)2(gj6v.656)(65c)(im80)(6g0)oowl(kqo0)J(da2o)O>O>O>S>O
Australia/Lord_Howe Australia/LHI|38180 36000 37800 41400 39600|1(-1kauj.520)2(1sote.380)3(hmu)Q@M@M@M4@(ada)(g2q)(avy)(gle)(avy)(gle)(ada)(gle)N?N?N?R?N?N?(bem)(fk2)(bem)(fk2)(bem)(fk2)(bem)(g2q)(avy)(beq)(fjy)(g2q)(bem)(fk2)(bem)(fk2)(bem)(g2q)(avy)(g2q)(bem)(fk2)(avy)(g2q)|4.1.0.7200.2 10.1.0.7200.4
Australia/Melbourne Australia/Victoria|34792 36000 39600|1(-1kauf.308)2(ggw6.592)(65c)(im80)(6g0)oowl(kqo0)J]O>O>O>S>O>O>O>O>O>S>O>O>O>W-Z-e/W/W/O>O>S>O>Z-e*e*e*e-Ze*-e*e*e-Z-e*Z-|4.1.0.10800.1 10.1.0.7200.2
Australia/Perth Australia/West|27804 28800 32400|1(-1joe7.96)2(fug6.804)(65c)(im80)(6g0)oo(nqio)O(6idc)O(5sg0)(7s0)(b39c)H-e*e
Australia/Sydney Australia/ACT Australia/Canberra Australia/NSW|36292 36000 39600|1(-1kauh.608)2(ggw8.292)(65c)(im80)(6g0)oowl(kqo0)J]O>O>O>S>O>O>O>O>O>g*O>O>O>W-Z/Z/W/O>O>O>S>O>O>e*e*e*e-Ze*-e*e*e-Z-e*Z-|4.1.0.10800.1 10.1.0.7200.2
CST6CDT|-21600 -18000|1(-12w9s)&f&(gr44)}(g7us)npnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.1 11.1.0.7200.0
EST5EDT|-18000 -14400|1(-12w9w)&f&(gr44)}(g7us)npnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.1 11.1.0.7200.0
Etc/GMT+1|-3600|
Etc/GMT+10|-36000|
Etc/GMT+11|-39600|
Etc/GMT+12|-43200|
Etc/GMT+2|-7200|
Etc/GMT+3|-10800|
Etc/GMT+4|-14400|
Etc/GMT+5|-18000|
Etc/GMT+6|-21600|
Etc/GMT+7|-25200|
Etc/GMT+8|-28800|
Etc/GMT+9|-32400|
Etc/GMT-0 Etc/GMT Etc/GMT+0 Etc/GMT0 Etc/Greenwich GMT GMT+0 GMT-0 GMT0 Greenwich|0|
Etc/GMT-1|3600|
Etc/GMT-10|36000|
Etc/GMT-11|39600|
Etc/GMT-12|43200|
Etc/GMT-13|46800|
Etc/GMT-14|50400|
Etc/GMT-2|7200|
Etc/GMT-3|10800|
Etc/GMT-4|14400|
Etc/GMT-5|18000|
Etc/GMT-6|21600|
Etc/GMT-7|25200|
Etc/GMT-8|28800|
Etc/GMT-9|32400|
Etc/UTC Etc/UCT Etc/Universal Etc/Zulu UCT UTC Universal Zulu|0|
Europe/Andorra|364 0 3600 7200|1(-1futd.536)2(ydmo.364)3(sxms)oooooooooowoooooooooow|3.25.0.7200.3 10.25.0.10800.2
Europe/Astrakhan|11532 10800 14400 18000|1(-ybn1.168)2(4m2o.732)3~rprprtqoooooooo1{owo(14g0)oooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)(12dg)
Europe/Athens EET|5692 7200 10800 3600|1(-145k7.668)2(bzby.232)(458)(6glg)(1p8)3(14ts)(ayg)(dx8)t2(66yk)(96k)(gv44)(gw0)(a5k)ol(d1c)(dxc)m(e0o)(dds)(dp8)(dbw)(dhs)oooooowooooooooooowoooooooooow|3.25.0.10800.2 10.25.0.14400.1
Europe/Belgrade Europe/Ljubljana Europe/Podgorica Europe/Sarajevo Europe/Skopje Europe/Zagreb|4920 3600 7200|1(-1smqu.480)2(17259.420)(15n0)Zwoo(g5c)(9pc)(s79c)oowooooooooooowoooooooooow|3.25.0.7200.2 10.25.0.10800.1
Europe/Berlin Arctic/Longyearbyen Atlantic/Jan_Mayen Europe/Copenhagen Europe/Oslo Europe/Stockholm|3208 3600 7200 10800|1(-1lois.392)2(hcfv.508)c(elk)e*e(g6tc)(1y00)Zwooo3(3uk)(940)1(42s)Z(d1c)(des)3(2l8)(3mk)1(79g)zjwl(mxhc)looooooowooooooooooowoooooooooow|3.25.0.7200.2 10.25.0.10800.1
Europe/Brussels CET Europe/Amsterdam Europe/Luxembourg MET|1050 0 3600 7200|1(-1mdc0)2(gx9c)3(13zw)(bc0)(elk)e*e1(46g)(86o)-S(io0)(aio)(go0)(b6o)zzjlwoozjwlz(cz0)zjwlzjoolzoolwzjoolwz-(79c)3(6ao)(1ud8)Zwo(cdc)(elc)(cdc)](ag0)(mww0)lwooowlooooooowooooooooooowoooooooooow|3.25.0.7200.3 10.25.0.10800.2
Europe/Bucharest|6264 7200 10800|1(-sw2v.36)2(mda.864)(9xc)oowooooooooooo(tstc)Mwmqoooooowooooooooooow(dh4)oooooonpnx&(bf4)|3.25.0.10800.2 10.25.0.14400.1
Europe/Budapest|4580 3600 7200|1(-1nhuu.820)2(j5rx.80)c(elk)e*e(fmo)(bc0)%j(ffx0)(16gc)Zwoo(fp0)t(b48)(e2k)(des)ooowl(3hh4)Q(h4c)S]J]J(gx94)looooooqwooooooooooowoooooooooow|3.25.0.7200.2 10.25.0.10800.1
Europe/Chisinau Europe/Tiraspol|6920 6900 6264 7200 10800 3600 14400|1(-1vmyw.280)2(sneo.20)3(a3hc.636)4(mda.864)(9xc)oowooooooooooo(nmo)(ovw)5(z1s)Zwo4(al0)6(riak)rprprtqooooooooooo(33w)3(aw8)oo(dh4)npnpnpnx&(bf0)*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z-Z-e*e*e*e-Z-Z-e*e*e-a|3.25.0.10800.4 10.25.0.14400.3
Europe/Dublin Eire|-1521 2079 0 3600|1(-14al3.621)2S3(dzy.279)(c00)(dxc)(e2o)(deo)s(deo)(fmo)(buo)s(cw0)zzZ*g*e*jwl%jzjwlzjzjwozjwlzjzjwlz-(79c)(4yw0)g(h40)jze*jwlwowljwlzj%jwlzjzjwll-Z-e*Z-Z-Z-Z/H(2s2o)W/W/W/W/Z-Z-Z/W/W/d*e*e*e-e*e*e*e*e-Z-e*e*e*e*e*g|3.25.0.3600.3 10.25.0.7200.2
Europe/Gibraltar|-1284 0 3600 7200|1(-1v73z.384)2(qwiu.516)Sw(c00)(dxc)(e2o)(deo)s(deo)(fmo)(buo)s(cw0)zzZ*g*jzjwl%jzjwlzjzjwozjwlzjzjwlz-(79c)3(w58)(79c)>O>S(h40)j(elc)(7pc)1(684)wlg3(22k)J1(684)S(h40)e*jwlwowljwlzj%jw3(ir3w)oooowooooooooooowoooooooooow|3.25.0.7200.3 10.25.0.10800.2
Europe/Helsinki Europe/Mariehamn|5989 7200 10800|1(-10ktj.311)2(fq2m.589)(dmo)(sx6w)ooopoowooooooooooowoooooooooow|3.25.0.10800.2 10.25.0.14400.1
Europe/Istanbul Asia/Istanbul Turkey|6952 7016 7200 10800 14400|1(-1vmyw.248)2(n3un.836)3(471b.716)b(2mdg)(fmk)(bus)r(cw4)y(176s)(afw)(fpg)b(b31g)(76k)(45g)(lrw)(e84)(2n98)(hhg)(918)(ew4)i!ixk!k!i(83es)(yyk)(eo4)(aak)(6ilk)ea,(aas)(gnw)X(gl8)fy(cg4)4(4058)(4nw)2(tc4)(clc)gsoooooooowoooooolwoow*e*e*e-Z-Z-e*e*e-Z-Z-(aw8)-e*e*e-(ayo)(g00)Z-e*(bhc)(fhc)e/W
Europe/Kaliningrad|4920 3600 7200 10800 14400|1(-1loiu.480)2(hcfx.420)c(elk)e*e(g6tc)(1y00)Zwooo3(1zo)(drw)(bms)4(qaik)rprprtqoooooooo2{owoooooooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)
Europe/Kiev Europe/Kyiv Europe/Uzhgorod Europe/Zaporozhye|7324 7200 10800 3600 14400|1(-ybk9.776)2(4m00.124)(8gd8)3(u8g)Zw2(2fs)4(s3x4)rprprtqoooooooooooE1(xpk)oooooooow+|3.25.0.10800.2 10.25.0.14400.1
Europe/Kirov|11928 10800 14400 18000|1(-11yg0)2(88vo)3~rprprtqoooooooo1{owo(14g0)oooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)
Europe/Lisbon Portugal WET|-2205 0 3600 7200|1(-17l9c)2(3cqk)(a2s)(8w0)(gvw)(a5g)(gvw)(a5g)(gvw)(a84)(gvw)(a5g)(gvw)(1vs0)(co0)(15hc)jwlzlzj(15hc)joo(14yo)olwzjoolwz-(79c)(gqo)(dc0)s(buo)3(33w)H1CW3(2l8)S1(4o4)S3(33w)O1(4o4)S3(33w)O1(4o4)go(dho)oooooooowooooooooowooooooooooowooooooo(7vmg)ooxooowlnoooooowoopoooooooowooo3(qyo)ooooo1(tk0)|3.25.0.3600.2 10.25.0.7200.1
Europe/London Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey GB GB-Eire|-75 0 3600 7200|1(-2jr1c.75)2(1fgg7.825)Sw(c00)(dxc)(e2o)(deo)s(deo)(fmo)(buo)s(cw0)zzZ*g*jzjwl%jzjwlzjzjwozjwlzjzjwlz-(79c)3(w58)(79c)>O>S(h40)j(elc)(7pc)1(684)wlg3(22k)J1(684)S(h40)e*jwlwowljwlzj%jwlzjzjwll-Z-e*Z-Z-Z-Z/H(2s2o)W/W/W/W/Z-Z-Z/W/W/d*e*e*e-e*e*e*e*e-Z-e*e*e*e*e*g|3.25.0.3600.2 10.25.0.7200.1
Europe/Madrid|-884 0 3600 7200|1(-1futc)2(czp8)(cw4)nt(3eik)(co4)(15h8)(cg4)vmzly(cg4)(5s7w)(804)n3(22k)(bhc)1(rew)(bx8)3(1ljw)(8ys)(gyk)(cg4)y(cg4)y(cg4)y(cg4)(1xzw)f(ifp8)mvmkpvm(e08)ooowlooooooowooooooooooowoooooooooow|3.25.0.7200.3 10.25.0.10800.2
Europe/Malta|3484 3600 7200|1(-1l8lg.116)2(gz1b.784)Ipr(bus)(fmk)(atg),(cg4)n(eu04)(1sg8)Zw(deo)j(elc)(cag)(dk8)%(bx4)%(aw8)-(d914)M^J]J(io0)J]J>O]O(deo)o(f40)(ayo)(g08)d+d+d+d+d(elg)(cvw)xoooooowooooooooooowoooooooooow|3.25.0.7200.2 10.25.0.10800.1
Europe/Minsk|6616 6600 7200 10800 3600 14400|1(-1vmyw.584)2(xbeo.16)3(4lzz.300)(8a58)4(10gg)Zwo3(6qc)5(rm58)rprprtqoooooooooo2(1ig4)oooooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z
Europe/Moscow W-SU|9017 9079 12679 16279 14400 10800 18000 7200|1(-147ez.883)2(qyj.838)(d9c)3(bh8)2(7xg)(j3w)4(28i.79)5(3e8)(14o0)6(2ik)(c5c)5(284)7(r1g)(5sw4)4~rprprtqooooooooooow7{H4Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)
Europe/Paris Europe/Monaco|561 0 3600 7200|1(-1876p.339)2(3yfw.561)(82o)(cw0)(elc)(bc0)(fmo)(atc)(g5c)(9s0)(io0)(aio)(go0)(b6o)z(h40)Slwoozjwlzlzjwlzjoolzoolwzjoolwz-(79o)3(87k)(1sgc)Zwo(dx4)(d1k)(cdc)(mxzw)n(e08)lwooowlooooooowooooooooooowoooooooooow|3.25.0.7200.3 10.25.0.10800.2
Europe/Prague Europe/Bratislava|3464 3600 7200 0|1(-1mt44.136)2(ih17.764)c(elk)e*e(g6tc)(1y00)Zwoooo-(bc0)3(45g)(680)2(458)jzj(dxc)(d1c)(m600)owlooooooowooooooooooowoooooooooow|3.25.0.7200.2 10.25.0.10800.1
Europe/Riga|5794 9394 7200 10800 3600 14400|1(-12v6n.506)e(elc)(3s0)2(58l4)3(ap6m.394)(ofw)4(108g)Zwoo3(t4)5(rel4)rprprtqoooooooo2{owoooooooooowop*e*e-(11uo)|3.25.0.10800.3 10.25.0.14400.2
Europe/Rome Europe/San_Marino Europe/Vatican|2996 3600 7200|1(-1l8o4)2(gz40)Ipr(bus)(fmk)(atg),(cg4)n(eu04)(1sg8)Zwo(cdc)(elc)(cag)(dk8)%(bx4)%(aw8)-(d914)M^J]J(io0)J]J>O]O]J>O]J]J>O]O>O(e08)looooooowooooooooooowoooooooooow|3.25.0.7200.2 10.25.0.10800.1
Europe/Samara|12020 10800 14400 18000|1(-11yg0)2(88vo)3~rprprtqoooooooo1{ow(sis)3(bx4)ooooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*1(rhg)Z
Europe/Saratov|11058 10800 14400 18000|1(-11yg0)2(88vo)3~rprprtqoooooo1{ooowo(14g0)oooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)(1l1g)
Europe/Simferopol|8184 8160 7200 10800 3600 14400|1(-1vmyy.816)2(xbeo.24)3(4m01.60)(8jh8)4(r4g)Zwo3(qc)5(rs58)rprprtqoooooooooo2(kqo)(1b6s)oooo5(2l0)(aw8)oo(dzs)(fkc)2{e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z-Z-e*5d3(fjs)
Europe/Sofia|5596 7016 7200 3600 10800|1(-1vmyv.704)2(b7ha.380)3(100iz.716)Zwoop4(pjrg)t(dx8)(d1g)(dx8)(cyw)(dzs)(cz0)ooowooooooooooow(dh4)npnpnpnpnx&(bf4)|3.25.0.10800.4 10.25.0.14400.2
Europe/Tallinn|5940 3600 7200 10800 14400|1(-130lj.360)2(5ey.540)e0(lbs)2(1dml.360)3(eh9a.540)(tzw)1(uls)Zwo3(cqc)4(rg58)rprprtqoooooooo2{owoooooooooow*e*e+e-(1tc0)|3.25.0.10800.3 10.25.0.14400.2
Europe/Tirane|4760 3600 7200|1(-16346.640)2(jvs1.260)(1sdk)Z(w0)(ncig)(b6k)(fms)d(fs4)d.Y(g04)(ayk)(g04)(ayk)(g04)d(f44)d.d(elg)(cak)tqooooooooooowoooooooooow|3.25.0.7200.2 10.25.0.10800.1
Europe/Ulyanovsk|11616 10800 14400 18000 7200|1(-11yg0)2(88vo)3~rprprtqoooooooo1{ow4{H2Booooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)(12dg)
Europe/Vienna|3921 3600 7200|1(-1loit.579)2(hcfw.321)c(elk)e*e(1600)g(eow0)(1y00)Zwooo(qo)(r6o)(d1c)(deo)ozj(nofs)k(dho)oooooowooooooooooowoooooooooow|3.25.0.7200.2 10.25.0.10800.1
Europe/Vilnius|6076 5040 5736 3600 7200 10800 14400|1(-1vmyv.224)2(rt1d.136)3(22yn.204)4(kg2.336)(6l8)5(ew5g)4(o2g)3(10r4)Zwo5(8vo)6(rjzw)rprprtqoooooooo4{owoooooooooow*e*3{e5(30dc)|3.25.0.10800.5 10.25.0.14400.4
Europe/Volgograd|10660 10800 14400 18000|1(-11koc.140)2(7v3z.760)3~rprprtqoooooo1{ooowo(14g0)oooooow*e*e*e-Z-Z-e*e*e-Z-Z-Z-e*e*e-Z(2oyk)(30dg)(1ml8)
Europe/Warsaw Poland|5040 3600 7200 10800|1(-14w2u.360)2(jzx.540)c(elk)e*3(r18)e1(2194)(dkoc)(1ruo)Zwou(fbw)(drw)(c5g)(d1k)(fhc)ezjwl(5rek)Joo]Ooo>O>O>O]J(9elc)lwooowlooooooowoooooopoooowoooooooooow|3.25.0.7200.2 10.25.0.10800.1
Europe/Zurich Europe/Busingen Europe/Vaduz|2048 1786 3600 7200|1(-2fiw3.652)2(upxc.262)3(z9k1.886)e*e(sx44)oooooowooooooooooowoooooooooow|3.25.0.7200.3 10.25.0.10800.2
Indian/Chagos|17380 18000 21600|1(-1bcj8.620)2(1uvxb.280)
Indian/Maldives Indian/Kerguelen|17640 18000|1(-7ilw.360)
Indian/Mauritius|13800 14400 18000|1(-1bcj4.600)2(1ky2n.300)(bzw)(j8oc)d
MST7MDT|-25200 -21600|1(-12w9o)&f&(gr44)}(g7us)npnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.1 11.1.0.7200.0
PST8PDT|-28800 -25200|1(-12w9k)&f&(gr44)}(g7us)npnpnpnpvpnpnC(lrw)(8tg)(i58)pvmvpnpnpnpnpvmvpnpnpnh#h&f&f&h#h#h&f&f&h#h#h#h&f&f&h#h#h&f&f&T|3.8.0.7200.1 11.1.0.7200.0
Pacific/Apia|45184 -41216 -41400 -39600 -36000 50400 46800|1(-1m8k3.716)2(dwao)3(tb6o.184)4(19n6m)(dxo)l5(768)6(6ts)owlwlwlwlwlwowlwlw
Pacific/Auckland Antarctica/McMurdo Antarctica/South_Pole NZ|41944 41400 45000 43200 46800|1(-240zz.356)2(18cg8.544)I3:(bem)(fk2)(bem)(fk2)(bem)(fk2)(bxa)(f1e)(bxa)(f1e)(f1a)(beq)(fjy)(beq)(fjy)(beq)(fjy)(beq)(fjy)(beq)(g2m)(aw2)(g2m)(beq)4(pmfy)H]S>O>O>O>O>O>S>O>O>O>O>O>S>O-g%g%g%jzjzjzj%g%g%jzjzj%g%g%jzjzjzjz|4.1.0.10800.3 9.24.0.7200.4
Pacific/Bougainville|37336 35312 36000 32400 39600|1(-1vmzu.464)2(b9uq.224)3(zoyn.212)(2cys)4(1g4dg)
Pacific/Chatham NZ-CHAT|44028 44100 45900 49500|1(-24101.72)2(1lzmn.828)3(lo89)H]S>O>O>O>O>O>S>O>O>O>O>O>S>O-g%g%g%jzjzjzj%g%g%jzjzj%g%g%jzjzjzjz|4.1.0.13500.2 9.24.0.9900.3
Pacific/Easter Chile/EasterIsland|-26248 -25200 -21600 -18000|1(-s21v.148)2(r6nm.752)Y@M!d+d.Y(f1g)(bx8).Y.d+d+d.Y.Y.d+3(qyo)d+d.Y.Y.npd+d.Yxk.d+d+d+d.Y.i!d!vxd.Y.Y.Y.d+d+d.Y.i!d+kx&(7s4)(inw)P=T(h3w)T(19mk)(6qs)(k7w)(6qs)(k7w)(6qs)=f&f&f&h|4.1.6.79200.2 9.1.6.79200.3
Pacific/Efate|40396 39600 43200|1(-17kel.104)2(1ajx8.796)(79c)(74o4)npnxkxnpnpnpnpnxI(k84)(6qk)
Pacific/Enderbury Pacific/Kanton|0 -43200 -39600 46800|1(-oaw0)2(vmmo)3(bgl8)
Pacific/Fakaofo|-41096 -39600 46800|1(-1fus3.596)2(2beym.304)
Pacific/Fiji|42944 43200 46800|1(-14q1c.256)2(1qe2v.644)J(io0)H(7bxc)J*S(h40)(6qo)(k80)(6qo)(kqo)(67w)(l9g)(5pc)(l9c)(5pc)(ls0)(56o)(ls0)(56o)(ls0)(56o)(mao)(4o0)(peo)(22o)
Pacific/Galapagos|-21504 -18000 -21600|1(-tb61.804)2(15c2k.96)(56w4)(53w)
Pacific/Gambier|-32388 -32400|1(-170xp.888)
Pacific/Guadalcanal Pacific/Pohnpei Pacific/Ponape|38388 39600|1(-170zv.312)
Pacific/Guam Pacific/Saipan|-51660 34740 36000 32400 39600|1(-2lxvr.360)2(1631c)3(urmm.540)(1zes)4(b79g)(173w)(4y84)(11zo.60)(awb.840)B@Q<Q(1ppg)B(1ow4)(6ik.60)(i5f.840)M
Pacific/Honolulu HST Pacific/Johnston US/Hawaii|-37886 -37800 -34200 -36000|1(-1jl46.86)2(s0xj.814)(1l0)(6jz0)}3(19ms)
Pacific/Kiritimati|-37760 -38400 -36000 50400|1(-1fus7.860)2(1n6io.640)3(bgl9.300)
Pacific/Kosrae|-47284 39116 39600 32400 36000 43200|1(-2lxvw.484)2(1631c)3(abxb.416)(39c8)4(dgqg)3(36w4)2(399g)5(i5ug)(lzek)
Pacific/Kwajalein Kwajalein|40160 39600 36000 32400 -43200 43200|1(-1fuul.340)2(r200.560)3(36w4)1(2544)4(j9zs)5(hyd8)
Pacific/Marquesas|-33480 -34200|1(-170xn.180)
Pacific/Nauru|40060 41400 32400 43200|1(-10sp9.440)2(g8vy.460)(29xm)3(p4am)
Pacific/Niue|-40780 -40800 -39600|1(-cxlf.280)2(8sqo.20)
Pacific/Norfolk|40312 40320 41400 45000 39600 43200|1(-1fuul.188)2(11kqn.892)3(hwg6.720)O4(ui80)5(30de)|4.1.0.10800.4 10.1.0.7200.5
Pacific/Noumea|39948 39600 43200|1(-17kel.552)2(1diqo.348)(6ak)(ko4)(6d8)(dcj0)(6qo)
Pacific/Pago_Pago Pacific/Midway Pacific/Samoa US/Samoa|45432 -40968 -39600|1(-1m8k3.468)2(dwao)
Pacific/Palau|-54124 32276 32400|1(-2lxvo.124)2(1631c)
Pacific/Pitcairn|-31220 -30600 -28800|1(-1fuse.620)2(214yn.280)
Pacific/Port_Moresby Antarctica/DumontDUrville Pacific/Chuuk Pacific/Truk Pacific/Yap|35320 35312 36000|1(-1vmzs.680)2(b9uo.8)
Pacific/Rarotonga|48056 -38344 -37800 -34200 -36000|1(-1gmc6.544)2(13oqo)3(jlen.356)4G?N?N?R?N?N?N?N?N?R?N?N?N
Pacific/Tahiti|-35896 -36000|1(-170xl.796)
Pacific/Tarawa Pacific/Funafuti Pacific/Majuro Pacific/Wake Pacific/Wallis|41524 43200|1(-1fuun.776)
Pacific/Tongatapu|44352 44400 46800 50400|1(-i9qq.648)2(bi7z.852)3(t4qt.300)(c5c)(h40)(67w)(kqs)(67w)(b3s4)(56o)
`;
