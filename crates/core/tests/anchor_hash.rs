//! The hash of a line against other programs' answers: `xxhsum -H3` and the `xxhash` module of Python, which agree.

use patchwright_core::anchor::line_hash;

#[test]
fn known_answers_of_every_length() {
    // The byte at `at` of a text of `length` bytes is (7 at + length) mod 251; each way that the algorithm goes by
    // length is there, with its edges.
    for (length, want) in [
        (0, 0x2d06_8005_38d3_94c2),
        (1, 0xe12e_f9d2_eb86_ceeb),
        (2, 0x33b0_814d_4f06_1d86),
        (3, 0xa908_8dda_485b_481c),
        (4, 0x5764_8c31_8a7a_307e),
        (5, 0x239b_b6b8_8222_271d),
        (8, 0xb0fb_3e3c_3f94_990a),
        (9, 0x8aca_5cb3_0943_7c2e),
        (16, 0x2bd9_26d8_8792_965a),
        (17, 0x621f_018a_ad19_b14a),
        (32, 0x8911_535e_799e_4d99),
        (33, 0xb1e1_d246_d972_758f),
        (64, 0x6b79_1607_7162_249f),
        (65, 0x0418_02f9_29fd_e152),
        (96, 0x2971_b06d_34ae_032a),
        (97, 0x15af_35a4_6b7e_a756),
        (128, 0x104c_5158_a0b8_4b98),
        (129, 0x4fde_2d10_f0bc_dfea),
        (160, 0xec51_3406_caf6_5f65),
        (161, 0x724c_2d5a_89da_5550),
        (240, 0xc8fc_af51_fec9_64b0),
        (241, 0xee80_e364_2dbe_5d90),
        (255, 0xdb85_756b_acb4_5d4b),
        (256, 0x0d9d_2784_7ccc_b499),
        (1000, 0xa02a_d770_751c_1bf4),
        (1024, 0xb29a_0eb5_7f6d_9a67),
        (1025, 0x4fc9_4c4a_42c6_553c),
        (5000, 0x9121_8491_5add_6822),
    ] {
        let bytes: Vec<u8> = (0..length).map(|at| u8::try_from((7 * at + length) % 251).unwrap_or(0)).collect();
        assert_eq!(line_hash(&bytes), want, "{length}");
    }
}

#[test]
fn known_answers_of_lines() {
    for (line, want) in [
        ("}", 0xb8c2_a540_0d47_3978),
        ("    return x + 1;", 0x5c55_dfa1_e14d_7c97),
        ("fn main() {", 0x10f6_17ff_208c_2602),
        ("日本語", 0x11fe_c42c_8060_50b7),
        ("\t\t// comment", 0xc1f0_6122_9aa6_7821),
    ] {
        assert_eq!(line_hash(line.as_bytes()), want, "{line:?}");
    }
}
