/* expect: serial ORR2190 44:9 `a1[i]` */
/* more arrays than are held against each other: any two may overlap, and it takes no long time to say so */
void many(double *a0, double *a1, double *a2, double *a3, double *a4, double *a5, double *a6, double *a7,
          double *a8, double *a9, double *a10, double *a11, double *a12, double *a13, double *a14, double *a15,
          double *a16, double *a17, double *a18, double *a19, double *a20, double *a21, double *a22, double *a23,
          double *a24, double *a25, double *a26, double *a27, double *a28, double *a29, double *a30, double *a31,
          double *a32, double *a33, double *a34, double *a35, double *a36, double *a37, double *a38, double *a39,
          double *a40, double *a41, double *a42, double *a43, double *a44, double *a45, double *a46, double *a47,
          double *a48, double *a49, double *a50, double *a51, double *a52, double *a53, double *a54, double *a55,
          double *a56, double *a57, double *a58, double *a59, double *a60, double *a61, double *a62, double *a63,
          double *a64, double *a65, double *a66, double *a67, double *a68, double *a69, double *a70, double *a71,
          double *a72, double *a73, double *a74, double *a75, double *a76, double *a77, double *a78, double *a79,
          double *a80, double *a81, double *a82, double *a83, double *a84, double *a85, double *a86, double *a87,
          double *a88, double *a89, double *a90, double *a91, double *a92, double *a93, double *a94, double *a95,
          double *a96, double *a97, double *a98, double *a99, double *a100, double *a101, double *a102, double *a103,
          double *a104, double *a105, double *a106, double *a107, double *a108, double *a109, double *a110, double *a111,
          double *a112, double *a113, double *a114, double *a115, double *a116, double *a117, double *a118, double *a119,
          double *a120, double *a121, double *a122, double *a123, double *a124, double *a125, double *a126, double *a127,
          double *a128, double *a129, double *a130, double *a131, double *a132, double *a133, double *a134, double *a135,
          double *a136, double *a137, double *a138, double *a139, double *a140, double *a141, double *a142, double *a143,
          double *a144, double *a145, double *a146, double *a147, double *a148, double *a149, double *a150, double *a151,
          double *a152, double *a153, double *a154, double *a155, double *a156, double *a157, double *a158, double *a159,
          double *a160, double *a161, double *a162, double *a163, double *a164, double *a165, double *a166, double *a167,
          double *a168, double *a169, double *a170, double *a171, double *a172, double *a173, double *a174, double *a175,
          double *a176, double *a177, double *a178, double *a179, double *a180, double *a181, double *a182, double *a183,
          double *a184, double *a185, double *a186, double *a187, double *a188, double *a189, double *a190, double *a191,
          double *a192, double *a193, double *a194, double *a195, double *a196, double *a197, double *a198, double *a199,
          double *a200, double *a201, double *a202, double *a203, double *a204, double *a205, double *a206, double *a207,
          double *a208, double *a209, double *a210, double *a211, double *a212, double *a213, double *a214, double *a215,
          double *a216, double *a217, double *a218, double *a219, double *a220, double *a221, double *a222, double *a223,
          double *a224, double *a225, double *a226, double *a227, double *a228, double *a229, double *a230, double *a231,
          double *a232, double *a233, double *a234, double *a235, double *a236, double *a237, double *a238, double *a239,
          double *a240, double *a241, double *a242, double *a243, double *a244, double *a245, double *a246, double *a247,
          double *a248, double *a249, double *a250, double *a251, double *a252, double *a253, double *a254, double *a255,
          double *a256, double *a257, double *a258, double *a259, double *a260, double *a261, double *a262, double *a263,
          double *a264, double *a265, double *a266, double *a267, double *a268, double *a269, double *a270, double *a271,
          double *a272, double *a273, double *a274, double *a275, double *a276, double *a277, double *a278, double *a279,
          double *a280, double *a281, double *a282, double *a283, double *a284, double *a285, double *a286, double *a287,
          double *a288, double *a289, double *a290, double *a291, double *a292, double *a293, double *a294, double *a295,
          double *a296, double *a297, double *a298, double *a299, double *a300, double *a301, double *a302, double *a303, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        a0[i] += a1[i] * 0;
        a1[i] += a2[i] * 1;
        a2[i] += a3[i] * 2;
        a3[i] += a4[i] * 3;
        a4[i] += a5[i] * 4;
        a5[i] += a6[i] * 5;
        a6[i] += a7[i] * 6;
        a7[i] += a8[i] * 7;
        a8[i] += a9[i] * 8;
        a9[i] += a10[i] * 9;
        a10[i] += a11[i] * 10;
        a11[i] += a12[i] * 11;
        a12[i] += a13[i] * 12;
        a13[i] += a14[i] * 13;
        a14[i] += a15[i] * 14;
        a15[i] += a16[i] * 15;
        a16[i] += a17[i] * 16;
        a17[i] += a18[i] * 17;
        a18[i] += a19[i] * 18;
        a19[i] += a20[i] * 19;
        a20[i] += a21[i] * 20;
        a21[i] += a22[i] * 21;
        a22[i] += a23[i] * 22;
        a23[i] += a24[i] * 23;
        a24[i] += a25[i] * 24;
        a25[i] += a26[i] * 25;
        a26[i] += a27[i] * 26;
        a27[i] += a28[i] * 27;
        a28[i] += a29[i] * 28;
        a29[i] += a30[i] * 29;
        a30[i] += a31[i] * 30;
        a31[i] += a32[i] * 31;
        a32[i] += a33[i] * 32;
        a33[i] += a34[i] * 33;
        a34[i] += a35[i] * 34;
        a35[i] += a36[i] * 35;
        a36[i] += a37[i] * 36;
        a37[i] += a38[i] * 37;
        a38[i] += a39[i] * 38;
        a39[i] += a40[i] * 39;
        a40[i] += a41[i] * 40;
        a41[i] += a42[i] * 41;
        a42[i] += a43[i] * 42;
        a43[i] += a44[i] * 43;
        a44[i] += a45[i] * 44;
        a45[i] += a46[i] * 45;
        a46[i] += a47[i] * 46;
        a47[i] += a48[i] * 47;
        a48[i] += a49[i] * 48;
        a49[i] += a50[i] * 49;
        a50[i] += a51[i] * 50;
        a51[i] += a52[i] * 51;
        a52[i] += a53[i] * 52;
        a53[i] += a54[i] * 53;
        a54[i] += a55[i] * 54;
        a55[i] += a56[i] * 55;
        a56[i] += a57[i] * 56;
        a57[i] += a58[i] * 57;
        a58[i] += a59[i] * 58;
        a59[i] += a60[i] * 59;
        a60[i] += a61[i] * 60;
        a61[i] += a62[i] * 61;
        a62[i] += a63[i] * 62;
        a63[i] += a64[i] * 63;
        a64[i] += a65[i] * 64;
        a65[i] += a66[i] * 65;
        a66[i] += a67[i] * 66;
        a67[i] += a68[i] * 67;
        a68[i] += a69[i] * 68;
        a69[i] += a70[i] * 69;
        a70[i] += a71[i] * 70;
        a71[i] += a72[i] * 71;
        a72[i] += a73[i] * 72;
        a73[i] += a74[i] * 73;
        a74[i] += a75[i] * 74;
        a75[i] += a76[i] * 75;
        a76[i] += a77[i] * 76;
        a77[i] += a78[i] * 77;
        a78[i] += a79[i] * 78;
        a79[i] += a80[i] * 79;
        a80[i] += a81[i] * 80;
        a81[i] += a82[i] * 81;
        a82[i] += a83[i] * 82;
        a83[i] += a84[i] * 83;
        a84[i] += a85[i] * 84;
        a85[i] += a86[i] * 85;
        a86[i] += a87[i] * 86;
        a87[i] += a88[i] * 87;
        a88[i] += a89[i] * 88;
        a89[i] += a90[i] * 89;
        a90[i] += a91[i] * 90;
        a91[i] += a92[i] * 91;
        a92[i] += a93[i] * 92;
        a93[i] += a94[i] * 93;
        a94[i] += a95[i] * 94;
        a95[i] += a96[i] * 95;
        a96[i] += a97[i] * 96;
        a97[i] += a98[i] * 97;
        a98[i] += a99[i] * 98;
        a99[i] += a100[i] * 99;
        a100[i] += a101[i] * 100;
        a101[i] += a102[i] * 101;
        a102[i] += a103[i] * 102;
        a103[i] += a104[i] * 103;
        a104[i] += a105[i] * 104;
        a105[i] += a106[i] * 105;
        a106[i] += a107[i] * 106;
        a107[i] += a108[i] * 107;
        a108[i] += a109[i] * 108;
        a109[i] += a110[i] * 109;
        a110[i] += a111[i] * 110;
        a111[i] += a112[i] * 111;
        a112[i] += a113[i] * 112;
        a113[i] += a114[i] * 113;
        a114[i] += a115[i] * 114;
        a115[i] += a116[i] * 115;
        a116[i] += a117[i] * 116;
        a117[i] += a118[i] * 117;
        a118[i] += a119[i] * 118;
        a119[i] += a120[i] * 119;
        a120[i] += a121[i] * 120;
        a121[i] += a122[i] * 121;
        a122[i] += a123[i] * 122;
        a123[i] += a124[i] * 123;
        a124[i] += a125[i] * 124;
        a125[i] += a126[i] * 125;
        a126[i] += a127[i] * 126;
        a127[i] += a128[i] * 127;
        a128[i] += a129[i] * 128;
        a129[i] += a130[i] * 129;
        a130[i] += a131[i] * 130;
        a131[i] += a132[i] * 131;
        a132[i] += a133[i] * 132;
        a133[i] += a134[i] * 133;
        a134[i] += a135[i] * 134;
        a135[i] += a136[i] * 135;
        a136[i] += a137[i] * 136;
        a137[i] += a138[i] * 137;
        a138[i] += a139[i] * 138;
        a139[i] += a140[i] * 139;
        a140[i] += a141[i] * 140;
        a141[i] += a142[i] * 141;
        a142[i] += a143[i] * 142;
        a143[i] += a144[i] * 143;
        a144[i] += a145[i] * 144;
        a145[i] += a146[i] * 145;
        a146[i] += a147[i] * 146;
        a147[i] += a148[i] * 147;
        a148[i] += a149[i] * 148;
        a149[i] += a150[i] * 149;
        a150[i] += a151[i] * 150;
        a151[i] += a152[i] * 151;
        a152[i] += a153[i] * 152;
        a153[i] += a154[i] * 153;
        a154[i] += a155[i] * 154;
        a155[i] += a156[i] * 155;
        a156[i] += a157[i] * 156;
        a157[i] += a158[i] * 157;
        a158[i] += a159[i] * 158;
        a159[i] += a160[i] * 159;
        a160[i] += a161[i] * 160;
        a161[i] += a162[i] * 161;
        a162[i] += a163[i] * 162;
        a163[i] += a164[i] * 163;
        a164[i] += a165[i] * 164;
        a165[i] += a166[i] * 165;
        a166[i] += a167[i] * 166;
        a167[i] += a168[i] * 167;
        a168[i] += a169[i] * 168;
        a169[i] += a170[i] * 169;
        a170[i] += a171[i] * 170;
        a171[i] += a172[i] * 171;
        a172[i] += a173[i] * 172;
        a173[i] += a174[i] * 173;
        a174[i] += a175[i] * 174;
        a175[i] += a176[i] * 175;
        a176[i] += a177[i] * 176;
        a177[i] += a178[i] * 177;
        a178[i] += a179[i] * 178;
        a179[i] += a180[i] * 179;
        a180[i] += a181[i] * 180;
        a181[i] += a182[i] * 181;
        a182[i] += a183[i] * 182;
        a183[i] += a184[i] * 183;
        a184[i] += a185[i] * 184;
        a185[i] += a186[i] * 185;
        a186[i] += a187[i] * 186;
        a187[i] += a188[i] * 187;
        a188[i] += a189[i] * 188;
        a189[i] += a190[i] * 189;
        a190[i] += a191[i] * 190;
        a191[i] += a192[i] * 191;
        a192[i] += a193[i] * 192;
        a193[i] += a194[i] * 193;
        a194[i] += a195[i] * 194;
        a195[i] += a196[i] * 195;
        a196[i] += a197[i] * 196;
        a197[i] += a198[i] * 197;
        a198[i] += a199[i] * 198;
        a199[i] += a200[i] * 199;
        a200[i] += a201[i] * 200;
        a201[i] += a202[i] * 201;
        a202[i] += a203[i] * 202;
        a203[i] += a204[i] * 203;
        a204[i] += a205[i] * 204;
        a205[i] += a206[i] * 205;
        a206[i] += a207[i] * 206;
        a207[i] += a208[i] * 207;
        a208[i] += a209[i] * 208;
        a209[i] += a210[i] * 209;
        a210[i] += a211[i] * 210;
        a211[i] += a212[i] * 211;
        a212[i] += a213[i] * 212;
        a213[i] += a214[i] * 213;
        a214[i] += a215[i] * 214;
        a215[i] += a216[i] * 215;
        a216[i] += a217[i] * 216;
        a217[i] += a218[i] * 217;
        a218[i] += a219[i] * 218;
        a219[i] += a220[i] * 219;
        a220[i] += a221[i] * 220;
        a221[i] += a222[i] * 221;
        a222[i] += a223[i] * 222;
        a223[i] += a224[i] * 223;
        a224[i] += a225[i] * 224;
        a225[i] += a226[i] * 225;
        a226[i] += a227[i] * 226;
        a227[i] += a228[i] * 227;
        a228[i] += a229[i] * 228;
        a229[i] += a230[i] * 229;
        a230[i] += a231[i] * 230;
        a231[i] += a232[i] * 231;
        a232[i] += a233[i] * 232;
        a233[i] += a234[i] * 233;
        a234[i] += a235[i] * 234;
        a235[i] += a236[i] * 235;
        a236[i] += a237[i] * 236;
        a237[i] += a238[i] * 237;
        a238[i] += a239[i] * 238;
        a239[i] += a240[i] * 239;
        a240[i] += a241[i] * 240;
        a241[i] += a242[i] * 241;
        a242[i] += a243[i] * 242;
        a243[i] += a244[i] * 243;
        a244[i] += a245[i] * 244;
        a245[i] += a246[i] * 245;
        a246[i] += a247[i] * 246;
        a247[i] += a248[i] * 247;
        a248[i] += a249[i] * 248;
        a249[i] += a250[i] * 249;
        a250[i] += a251[i] * 250;
        a251[i] += a252[i] * 251;
        a252[i] += a253[i] * 252;
        a253[i] += a254[i] * 253;
        a254[i] += a255[i] * 254;
        a255[i] += a256[i] * 255;
        a256[i] += a257[i] * 256;
        a257[i] += a258[i] * 257;
        a258[i] += a259[i] * 258;
        a259[i] += a260[i] * 259;
        a260[i] += a261[i] * 260;
        a261[i] += a262[i] * 261;
        a262[i] += a263[i] * 262;
        a263[i] += a264[i] * 263;
        a264[i] += a265[i] * 264;
        a265[i] += a266[i] * 265;
        a266[i] += a267[i] * 266;
        a267[i] += a268[i] * 267;
        a268[i] += a269[i] * 268;
        a269[i] += a270[i] * 269;
        a270[i] += a271[i] * 270;
        a271[i] += a272[i] * 271;
        a272[i] += a273[i] * 272;
        a273[i] += a274[i] * 273;
        a274[i] += a275[i] * 274;
        a275[i] += a276[i] * 275;
        a276[i] += a277[i] * 276;
        a277[i] += a278[i] * 277;
        a278[i] += a279[i] * 278;
        a279[i] += a280[i] * 279;
        a280[i] += a281[i] * 280;
        a281[i] += a282[i] * 281;
        a282[i] += a283[i] * 282;
        a283[i] += a284[i] * 283;
        a284[i] += a285[i] * 284;
        a285[i] += a286[i] * 285;
        a286[i] += a287[i] * 286;
        a287[i] += a288[i] * 287;
        a288[i] += a289[i] * 288;
        a289[i] += a290[i] * 289;
        a290[i] += a291[i] * 290;
        a291[i] += a292[i] * 291;
        a292[i] += a293[i] * 292;
        a293[i] += a294[i] * 293;
        a294[i] += a295[i] * 294;
        a295[i] += a296[i] * 295;
        a296[i] += a297[i] * 296;
        a297[i] += a298[i] * 297;
        a298[i] += a299[i] * 298;
        a299[i] += a300[i] * 299;
        a300[i] += a301[i] * 300;
        a301[i] += a302[i] * 301;
        a302[i] += a303[i] * 302;
    }
}
